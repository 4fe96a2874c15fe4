<?php
// symfony/lock over Predis.
require __DIR__ . '/check.php';
require 'Symfony/Component/Lock/autoload.php';

use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;

$check = checker('symfony-lock/predis');
$factory = new LockFactory(new RedisStore(new Predis\Client(['host' => $host, 'port' => $port])));
$door = key_of('door');
$lock = fn(float $lease = 5.0) => $factory->createLock($door, $lease, false);
[$alice, $bob] = [$lock(), $lock()];

$check('acquires', fn() => equal($alice->acquire(), true));
$check('is refused while another holds it', fn() => equal($bob->acquire(), false));
$check('knows who holds it', fn() => equal([$alice->isAcquired(), $bob->isAcquired()], [true, false]));
$check('extends', function () use ($alice) {
    $alice->refresh(20.0);
    equal($alice->getRemainingLifetime() > 10, true);
});
$check('cannot extend the lock of another', fn() => raises(LockConflictedException::class, fn() => $bob->refresh()));
$check('releases', function () use ($alice, $bob) {
    $alice->release();
    equal($bob->acquire(), true);
    $bob->release();
});
$check('waits for the lease to end', function () use ($lock) {
    $lock(0.3)->acquire();
    $next = $lock();
    equal($next->acquire(true), true);
    $next->release();
});
$check('lets readers in together', function () use ($lock) {
    [$reader, $other, $writer] = [$lock(), $lock(), $lock()];
    equal([$reader->acquireRead(), $other->acquireRead(), $writer->acquire()], [true, true, false]);
    $reader->release();
    $other->release();
    equal($writer->acquire(), true);
    $writer->release();
});
