<?php
// What the scripts share: one PASS or FAIL line for each behaviour of a client, and an end of 1 when any failed.
require_once 'Predis/Autoloader.php';
Predis\Autoloader::register();

[$host, $port] = [$argv[1] ?? '127.0.0.1', (int) ($argv[2] ?? 6379)];
$failures = 0;

function key_of(string $name): string
{
    return 'more:' . getmypid() . '-' . $_SERVER['REQUEST_TIME'] . ":$name";
}

function equal($seen, $wanted): void
{
    if ($seen !== $wanted) {
        throw new RuntimeException(json_encode($seen) . ' is not ' . json_encode($wanted));
    }
}

function raises(string $kind, callable $does): void
{
    try {
        $does();
    } catch (Throwable $error) {
        equal($error instanceof $kind, true);
        return;
    }
    throw new RuntimeException("no $kind");
}

function checker(string $client): callable
{
    return function (string $behaviour, callable $does) use ($client): void {
        global $failures;
        try {
            $does();
            echo "PASS $client $behaviour\n";
        } catch (Throwable $error) {
            $failures++;
            $reason = preg_replace('/\s+/', ' ', get_class($error) . ' ' . $error->getMessage());
            echo "FAIL $client $behaviour: " . substr($reason, 0, 300) . "\n";
        }
    };
}

register_shutdown_function(function (): void {
    global $failures;
    if ($failures > 0) {
        exit(1);
    }
});
