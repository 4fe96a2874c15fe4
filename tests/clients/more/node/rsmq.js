// rsmq, a queue on sorted sets and scripts, over the node-redis 3 that it brings.
'use strict';
const assert = require('node:assert/strict');
const RSMQ = require('rsmq');
const { client, host, key, port, sleep } = require('./check');

client('rsmq', async (check) => {
  const queue = new RSMQ({ host, port, ns: key('rsmq'), realtime: true });
  const qname = 'jobs';
  await check('makes a queue', async () => {
    assert.equal(await queue.createQueueAsync({ qname, vt: 1, delay: 0 }), 1);
    await assert.rejects(queue.createQueueAsync({ qname }), /queueExists|Queue exists/);
    assert.deepEqual(await queue.listQueuesAsync(), [qname]);
  });
  await check('hands a message to one worker', async () => {
    const id = await queue.sendMessageAsync({ qname, message: 'first' });
    const got = await queue.receiveMessageAsync({ qname });
    assert.deepEqual([got.id, got.message, got.rc], [id, 'first', 1]);
    assert.deepEqual(await queue.receiveMessageAsync({ qname }), {});
  });
  await check('hands it out again when it was not deleted', async () => {
    await sleep(1100);
    const got = await queue.receiveMessageAsync({ qname, vt: 30 });
    assert.deepEqual([got.message, got.rc], ['first', 2]);
    assert.equal(await queue.changeMessageVisibilityAsync({ qname, id: got.id, vt: 0 }), 1);
    const again = await queue.receiveMessageAsync({ qname });
    assert.equal(again.rc, 3);
    assert.equal(await queue.deleteMessageAsync({ qname, id: again.id }), 1);
  });
  await check('delays, and pops', async () => {
    await queue.sendMessageAsync({ qname, message: 'late', delay: 1 });
    assert.deepEqual(await queue.popMessageAsync({ qname }), {});
    await sleep(1100);
    assert.equal((await queue.popMessageAsync({ qname })).message, 'late');
  });
  await check('knows its numbers', async () => {
    const { totalrecv, totalsent, msgs, vt } = await queue.getQueueAttributesAsync({ qname });
    assert.deepEqual({ totalrecv, totalsent, msgs, vt }, { totalrecv: 4, totalsent: 2, msgs: 0, vt: 1 });
    await queue.setQueueAttributesAsync({ qname, vt: 5, maxsize: 1024 });
    await assert.rejects(queue.sendMessageAsync({ qname, message: 'x'.repeat(2000) }), /too long/i);
  });
  await check('ends a queue', async () => {
    assert.equal(await queue.deleteQueueAsync({ qname }), 1);
    assert.deepEqual(await queue.listQueuesAsync(), []);
  });
  queue.quit();
});
