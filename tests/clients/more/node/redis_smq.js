// redis-smq and the lock of its redis-smq-common, over ioredis and over node-redis 5.
'use strict';
const assert = require('node:assert/strict');
const { promisify } = require('node:util');
const { logger, createRedisClient, RedisLock } = require('redis-smq-common');
const { Configuration, Consumer, EQueueDeliveryModel, EQueueType, MessageState, Producer, ProducibleMessage,
  Queue } = require('redis-smq');
const { client, eventually, host, key, port, sleep } = require('./check');

const call = (object, name, ...words) => promisify(object[name].bind(object))(...words);

async function locks(check, kind, options) {
  const redis = await promisify(createRedisClient)({ client: kind, options });
  const quiet = logger.getLogger({ enabled: false });
  // The scripts of all locks are loaded behind the back of the first.
  new RedisLock(redis, quiet, key('none'), 1000);
  await sleep(500);
  const lock = (name, ttl = 5000, again = false, renew = 0) => new RedisLock(redis, quiet, name, ttl, again, renew);
  const door = key(`door-${kind}`);
  await check(`${kind}: acquires, extends and releases`, async () => {
    const [alice, bob] = [lock(door), lock(door)];
    assert.equal(await call(alice, 'acquireLock'), true);
    assert.equal(await call(bob, 'acquireLock'), false);
    await call(alice, 'extendLock');
    await call(alice, 'releaseLock');
    assert.equal(await call(bob, 'acquireLock'), true);
    await call(bob, 'releaseLock');
  });
  await check(`${kind}: waits, and renews by itself`, async () => {
    await call(lock(door, 600), 'acquireLock');
    const patient = lock(door, 2000, true, 400);
    assert.equal(await call(patient, 'acquireLock'), true);
    await sleep(2500);
    assert.equal(await call(lock(door), 'acquireLock'), false);
    await call(patient, 'releaseLock');
  });
  await call(redis, 'halt');
}

async function queues(check) {
  Configuration.getSetConfig({
    namespace: key('smq').replace(/[^a-z0-9]/gi, ''), redis: { client: 'ioredis', options: { host, port } } });
  const queue = new Queue();
  await check('makes a queue', () => call(queue, 'save', 'jobs', EQueueType.FIFO_QUEUE, EQueueDeliveryModel.POINT_TO_POINT));
  const producer = new Producer();
  const consumer = new Consumer();
  const done = [];
  await check('carries messages from one to the other', async () => {
    await call(producer, 'run');
    await call(consumer, 'run');
    await call(consumer, 'consume', 'jobs', (message, end) => { done.push(message.body); end(); });
    for (let i = 0; i < 20; i += 1) await call(producer, 'produce', new ProducibleMessage().setQueue('jobs').setBody(i));
    await eventually(() => done.length === 20);
    assert.deepEqual(done, [...Array(20).keys()]);
  });
  await check('ends', async () => {
    await call(consumer, 'shutdown');
    await call(producer, 'shutdown');
    await call(queue, 'shutdown');
  });
}

client('redis-smq', async (check) => {
  await locks(check, 'ioredis', { host, port });
  await locks(check, 'redis', { socket: { host, port } });
  await queues(check);
});
