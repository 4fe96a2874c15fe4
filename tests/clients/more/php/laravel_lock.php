<?php
// Laravel's cache locks, funnel and throttle (illuminate/cache, illuminate/redis) over Predis.
require __DIR__ . '/check.php';
require 'Illuminate/Redis/autoload.php';
require 'Illuminate/Cache/autoload.php';

use Illuminate\Cache\RedisStore;
use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Contracts\Redis\LimiterTimeoutException;
use Illuminate\Redis\RedisManager;

$check = checker('laravel-cache-lock/predis');
$manager = new RedisManager(null, 'predis', ['default' => ['host' => $host, 'port' => $port, 'database' => 0],
    'options' => ['prefix' => key_of('laravel') . ':']]);
$store = new RedisStore($manager, 'cache:', 'default');
[$alice, $bob] = [$store->lock('door', 5), $store->lock('door', 5)];

$check('acquires', fn() => equal($alice->get(), true));
$check('is refused while another holds it', fn() => equal($bob->get(), false));
$check('releases its own lock only', function () use ($alice, $bob) {
    equal((bool) $bob->release(), false);
    equal((bool) $alice->release(), true);
});
$check('hands a lock to another process', function () use ($store) {
    $lock = $store->lock('door', 5);
    $lock->get();
    equal((bool) $store->restoreLock('door', $lock->owner())->release(), true);
});
$check('waits for the lease to end', function () use ($store) {
    $store->lock('door', 1)->get();
    $next = $store->lock('door', 5);
    equal($next->block(4), true);
    $next->release();
});
$check('gives up after a while', function () use ($store) {
    $lock = $store->lock('door', 5);
    $lock->get();
    raises(LockTimeoutException::class, fn() => $store->lock('door', 5)->block(1));
    $lock->forceRelease();
});
$check('lets so many into a funnel', function () use ($manager) {
    $funnel = fn() => $manager->connection()->funnel('narrow')->limit(1)->releaseAfter(5)->block(0);
    $outcome = [];
    $funnel()->then(function () use ($funnel, &$outcome) {
        $outcome[] = 'inside';
        raises(LimiterTimeoutException::class, fn() => $funnel()->then(fn() => null));
    });
    $funnel()->then(function () use (&$outcome) {
        $outcome[] = 'again';
    });
    equal($outcome, ['inside', 'again']);
});
$check('lets so many through in a time', function () use ($manager) {
    $throttle = fn() => $manager->connection()->throttle('slow')->allow(2)->every(60)->block(0);
    $through = 0;
    $count = function () use (&$through) {
        $through++;
    };
    $throttle()->then($count);
    $throttle()->then($count);
    raises(LimiterTimeoutException::class, fn() => $throttle()->then($count));
    equal($through, 2);
});
