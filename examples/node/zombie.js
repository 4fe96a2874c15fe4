// A holder that was stalled past its lease comes back and writes; the store refuses it by the fence.
//
//     node zombie.js [HOST[:PORT]]      the story is told in ../README.md
'use strict';
const { randomUUID } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createClient } = require('redis');
const sqlite = require('./sqlite.js');

// The guarded store: each row remembers the greatest fence that wrote it, and refuses smaller ones.
class Accounts {
  constructor(file) {
    this.sql = sqlite.open(file);
    this.sql`CREATE TABLE account (id TEXT PRIMARY KEY, balance INTEGER, fence INTEGER DEFAULT 0)`;
    this.sql`INSERT INTO account (id, balance) VALUES ('acct:7', 100)`;
  }

  read(account) {
    return this.sql`SELECT balance FROM account WHERE id = ${account}`[0].balance;
  }

  // True when it was taken. Check and write are one statement: there is no moment between them.
  write(account, balance, fence) {
    return this.sql`UPDATE account SET balance = ${balance}, fence = ${fence}
                    WHERE id = ${account} AND fence <= ${fence} RETURNING id`.length === 1;
  }
}

// A connection that waits runs nothing else meanwhile, so everybody who may wait has one of their own.
async function connect(address) {
  const client = createClient({ url: `redis://${address}` });
  client.on('error', fail);
  await client.connect();
  return client;
}

function fail(error) {
  console.error(`${path.basename(process.argv[1])}: no fencepost at ${process.argv[2] ?? '127.0.0.1:6379'}: ${error.message || error.code}`);
  process.exit(1);
}

async function play(address, accounts) {
  const [a, b] = [await connect(address), await connect(address)];
  const [ownerA, ownerB] = [`A-${randomUUID()}`, `B-${randomUUID()}`];

  const fenceA = await a.sendCommand(['LOCK', 'acct:7', ownerA, 'PX', '500']);
  const balance = accounts.read('acct:7');
  console.log(`A: has the lock, fence ${fenceA}; reads a balance of ${balance}`);
  console.log('A: stalls ... (a garbage collection, a suspended machine, a network gone quiet)');

  const fenceB = await b.sendCommand(['LOCK', 'acct:7', ownerB, 'PX', '5000', 'WAIT', '5000']);
  console.log(`B: waits in line, and is granted the lock as A's lease ends: fence ${fenceB}`);
  const takenB = accounts.write('acct:7', accounts.read('acct:7') + 50, fenceB);
  console.log(`B: writes 150 with fence ${fenceB}: ${takenB ? 'taken' : 'refused'}`);
  await b.sendCommand(['UNLOCK', 'acct:7', ownerB]);

  const takenA = accounts.write('acct:7', balance - 10, fenceA);
  const outcome = takenA ? 'taken' : "refused, the lock is somebody else's by now";
  console.log(`A: wakes and writes 90 with fence ${fenceA}: ${outcome}`);
  await a.sendCommand(['UNLOCK', 'acct:7', ownerA]);
  await Promise.all([a.quit(), b.quit()]);
}

// Plays a story with accounts of its own, and says how it ended.
async function tellWithAccounts(play) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zombie-'));
  try {
    const accounts = new Accounts(path.join(folder, 'accounts.db'));
    await play(process.argv[2] ?? '127.0.0.1:6379', accounts);
    const balance = accounts.read('acct:7');
    console.log(`the balance is ${balance}, as ${balance === 150 ? 'B' : 'A'} left it`);
    process.exitCode = balance === 150 ? 0 : 1;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

module.exports = { fail, tellWithAccounts };
if (require.main === module) tellWithAccounts(play).catch(fail);
