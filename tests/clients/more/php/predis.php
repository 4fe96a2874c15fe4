<?php
// Predis as a client: pure PHP, with transactions, pipelines and a loop for pub/sub.
require __DIR__ . '/check.php';

const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
$check = checker('predis');
$redis = new Predis\Client(['host' => $host, 'port' => $port]);
$door = key_of('door');
$acquire = fn(string $owner, int $lease) => $redis->set($door, $owner, 'PX', $lease, 'NX');

$check('is ready', fn() => equal($redis->ping()->getPayload(), 'PONG'));
$check('acquires', fn() => equal($acquire('alice', 5000)->getPayload(), 'OK'));
$check('is refused while another holds it', fn() => equal($acquire('bob', 5000), null));
$check('releases by a script, its own lock only', function () use ($redis, $door) {
    $sha = $redis->script('LOAD', RELEASE . " -- $door");
    equal($redis->evalsha($sha, 1, $door, 'bob'), 0);
    equal($redis->evalsha($sha, 1, $door, 'alice'), 1);
});
$check('takes over when the lease is over', function () use ($acquire) {
    $acquire('alice', 150);
    usleep(250000);
    equal($acquire('bob', 5000)->getPayload(), 'OK');
});
$check('pipelines', function () use ($redis, $door) {
    $answers = $redis->pipeline(function ($pipe) use ($door) {
        $pipe->get($door);
        $pipe->incr("$door:n");
    });
    equal($answers, ['bob', 1]);
});
$check('watches, checks and commits', function () use ($redis, $door) {
    $answers = $redis->transaction(['watch' => $door, 'cas' => true, 'retry' => 2], function ($transaction) use ($door) {
        $owner = $transaction->get($door);
        $transaction->multi();
        if ($owner === 'bob') {
            $transaction->del([$door, "$door:n"]);
        }
    });
    equal($answers, [2]);
});
$check('hears of a release', function () use ($host, $port, $redis, $door) {
    $ear = new Predis\Client(['host' => $host, 'port' => $port, 'read_write_timeout' => 5]);
    $heard = null;
    $loop = $ear->pubSubLoop(['subscribe' => "$door:freed"]);
    foreach ($loop as $message) {
        if ($message->kind === 'subscribe') {
            $redis->publish("$door:freed", 'bob');
        } elseif ($message->kind === 'message') {
            $heard = $message->payload;
            $loop->unsubscribe();
        }
    }
    equal($heard, 'bob');
});
$check('scans', function () use ($redis, $door) {
    $redis->mset(["$door:1" => 'a', "$door:2" => 'b']);
    $found = iterator_to_array(new Predis\Collection\Iterator\Keyspace($redis, "$door*"), false);
    sort($found);
    equal($found, ["$door:1", "$door:2"]);
    equal($redis->del($found), 2);
});
