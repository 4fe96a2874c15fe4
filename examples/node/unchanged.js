// A program that locks with redlock over ioredis, and has the fence for one more call.
//
//     node unchanged.js [HOST:PORT]        the story is told in ../README.md
'use strict';
const Redis = require('ioredis');
const Redlock = require('redlock');
const { fail, tellWithAccounts } = require('./zombie.js');

// The number of this hold, null when it is over. First the number, then whether the hold still stands: the other way
// round its lease could end in between, and the number would be the next holder's.
async function fenceOf(redis, lock) {
  const fence = await redis.call('FENCE', lock.resource);
  return await redis.get(lock.resource) === lock.value ? fence : null;
}

// When the lease has ended there is nothing to release.
const release = (lock) => lock.unlock().catch(() => {});

async function play(address, accounts) {
  const redis = new Redis(`redis://${address}`);
  redis.on('error', fail);
  const redlock = new Redlock([redis], { retryCount: 50, retryDelay: 50 });

  const lockA = await redlock.lock('acct:7', 500);
  const fenceA = await fenceOf(redis, lockA);
  const balance = accounts.read('acct:7');
  console.log(`A: has the lock, as ever, and asks for its fence: ${fenceA}; reads a balance of ${balance}`);
  console.log('A: stalls ...');

  const lockB = await redlock.lock('acct:7', 5000);
  const fenceB = await fenceOf(redis, lockB);
  console.log(`B: tries until A's lease ends, and asks for its fence: ${fenceB}`);
  const takenB = accounts.write('acct:7', accounts.read('acct:7') + 50, fenceB);
  console.log(`B: writes 150 with fence ${fenceB}: ${takenB ? 'taken' : 'refused'}`);
  await release(lockB);

  const takenA = accounts.write('acct:7', balance - 10, fenceA);
  const outcome = takenA ? 'taken' : "refused, the lock is somebody else's by now";
  console.log(`A: wakes and writes 90 with fence ${fenceA}: ${outcome}`);
  await release(lockA);
  await redis.quit();
}

tellWithAccounts(play).catch(fail);
