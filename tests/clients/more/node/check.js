// What the scripts share: one PASS or FAIL line for each behaviour of a client, and an end of 1 when any failed.
'use strict';

const [, , host = '127.0.0.1', port = '6379'] = process.argv;
const run = `${process.pid}-${Date.now()}`;
let failed = 0;

const inOneLine = (error) => String((error && error.message) || error).replace(/\s+/g, ' ').slice(0, 300);

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Fails when `work` takes longer: a client that waits for a reply for ever is not in order either.
async function within(ms, work) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer in ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// story(check) calls check(behaviour, does) for one thing after the other.
async function client(name, story) {
  const fail = (what, error) => {
    failed += 1;
    console.log(`FAIL ${name} ${what}: ${inOneLine(error)}`);
  };
  const check = async (behaviour, does) => {
    try {
      await within(20000, Promise.resolve().then(does));
      console.log(`PASS ${name} ${behaviour}`);
    } catch (error) {
      fail(behaviour, error);
    }
  };
  process.on('unhandledRejection', (error) => fail('left a rejection unhandled', error));
  try {
    await story(check);
  } catch (error) {
    fail('went on', error);
  }
  process.exit(failed ? 1 : 0);
}

// Until `holds()` is true; what a client does in the background takes a moment.
async function eventually(holds, ms = 8000) {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not so after ${ms} ms: ${holds}`);
    await sleep(20);
  }
}

const key = (name) => `more:${run}:${name}`;

module.exports = { host, port: Number(port), key, sleep, within, eventually, client };
