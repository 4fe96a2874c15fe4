// @microfleet/ioredis-lock over ioredis.
import assert from 'node:assert/strict';
import Redis from 'ioredis';
import { createLock } from '@microfleet/ioredis-lock';
import check_module from './check.js';

const { client, host, key, port, sleep } = check_module;

client('@microfleet/ioredis-lock', async (check) => {
  const redis = new Redis({ host, port });
  const door = key('door');
  const lock = (options) => createLock(redis, { timeout: 5000, retries: 0, delay: 40, ...options });
  const [alice, bob] = [lock(), lock()];

  await check('acquires', () => alice.acquire(door));
  await check('is refused while another holds it', () => assert.rejects(bob.acquire(door), /acquire/i));
  await check('extends', async () => {
    await alice.extend(20000);
    assert.ok(await redis.pttl(door) > 10000);
  });
  await check('releases', async () => {
    await alice.release();
    assert.equal(await redis.exists(door), 0);
  });
  await check('cannot extend what it does not hold', () => assert.rejects(alice.extend(1000)));
  await check('cannot release what has lapsed', async () => {
    const short = lock({ timeout: 150 });
    await short.acquire(door);
    await sleep(300);
    await assert.rejects(short.release(), /expired/);
  });
  await check('tries again until the lease ends', async () => {
    await lock({ timeout: 250 }).acquire(door);
    const patient = lock({ retries: 20 });
    await patient.acquire(door);
    await patient.release();
  });
  await redis.quit();
});
