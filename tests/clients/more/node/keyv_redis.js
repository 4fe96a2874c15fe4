// @keyv/redis over the node-redis 5 that it brings.
'use strict';
const assert = require('node:assert/strict');
const { client, host, key, port, sleep } = require('./check');

client('@keyv/redis', async (check) => {
  const { createKeyv } = await import('@keyv/redis');
  const keyv = createKeyv(`redis://${host}:${port}`, { namespace: key('cache') });
  const other = createKeyv(`redis://${host}:${port}`, { namespace: key('other') });
  await check('keeps values', async () => {
    await keyv.set('a', { n: 1 });
    assert.deepEqual(await keyv.get('a'), { n: 1 });
    assert.equal(await keyv.get('b'), undefined);
  });
  await check('for their time', async () => {
    await keyv.set('short', 1, 300);
    assert.equal(await keyv.get('short'), 1);
    await sleep(400);
    assert.equal(await keyv.get('short'), undefined);
  });
  await check('many at once', async () => {
    await keyv.setMany([{ key: 'x', value: 1 }, { key: 'y', value: 2, ttl: 60000 }]);
    assert.deepEqual(await keyv.getMany(['x', 'y', 'z']), [1, 2, undefined]);
    assert.deepEqual(await keyv.hasMany(['x', 'z']), [true, false]);
    assert.equal(await keyv.has('x'), true);
  });
  await check('goes through its own', async () => {
    await other.set('foreign', 1);
    const names = [];
    for await (const [name] of keyv.iterator(keyv.namespace)) names.push(name);
    assert.deepEqual(names.sort(), ['a', 'x', 'y']);
  });
  await check('deletes, and clears its own', async () => {
    assert.equal(await keyv.delete('a'), true);
    assert.equal(await keyv.delete('a'), false);
    await keyv.deleteMany(['x']);
    await keyv.clear();
    assert.equal(await keyv.get('y'), undefined);
    assert.equal(await other.get('foreign'), 1);
    await other.clear();
  });
  await keyv.disconnect();
  await other.disconnect();
});
