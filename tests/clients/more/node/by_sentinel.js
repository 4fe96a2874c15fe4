// A redis-sentinel that watches the server, and ioredis and node-redis 5 that find it by asking there.
'use strict';
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const Redis = require('ioredis');
const { createSentinel } = require('redis');
const { client, eventually, host, key, port } = require('./check');

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  return free;
}

client('redis-sentinel', async (check) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sentinel-'));
  const at = { host: '127.0.0.1', port: await freePort() };
  const config = path.join(folder, 'sentinel.conf');
  fs.writeFileSync(config, `port ${at.port}\ndir ${folder}\nsentinel monitor locks ${host} ${port} 1\n`
    + 'sentinel down-after-milliseconds locks 2000\n');
  const sentinel = spawn('redis-server', [config, '--sentinel'], { stdio: 'ignore' });
  try {
    const asked = new Redis({ ...at, retryStrategy: () => 50 });
    asked.on('error', () => {});  // it tries until the sentinel listens
    await check('is watched as a master', async () => {
      const facts = async () => {
        const words = await asked.call('SENTINEL', 'MASTER', 'locks');
        return Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, words[i + 1]]])));
      };
      await eventually(async () => /^[0-9a-f]{40}$/.test((await facts()).runid));
      const { flags, 'role-reported': role, 'num-slaves': replicas } = await facts();
      assert.deepEqual({ flags, role, replicas }, { flags: 'master', role: 'master', replicas: '0' });
    });
    await check('is found by ioredis', async () => {
      const redis = new Redis({ sentinels: [at], name: 'locks', role: 'master' });
      assert.equal(await redis.set(key('door'), 'alice', 'PX', 5000, 'NX'), 'OK');
      await redis.quit();
    });
    await check('is found by node-redis', async () => {
      const redis = await createSentinel({ name: 'locks', sentinelRootNodes: [at] }).connect();
      assert.equal(await redis.set(key('door'), 'bob', { NX: true, PX: 5000 }), null);
      assert.equal(await redis.get(key('door')), 'alice');
      redis.destroy();
    });
    asked.disconnect();
  } finally {
    sentinel.kill();
    await once(sentinel, 'exit');
    fs.rmSync(folder, { recursive: true });
  }
});
