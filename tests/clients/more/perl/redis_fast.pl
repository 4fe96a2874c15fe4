#!/usr/bin/perl
# Redis::Fast, over a hiredis of its own.
use strict;
use warnings;
use Digest::SHA qw(sha1_hex);
use Redis::Fast;
use Time::HiRes qw(sleep);

my ($host, $port) = @ARGV;
my $failed = 0;
$| = 1;

sub check {
    my ($behaviour, $does) = @_;
    if (eval { $does->(); 1 }) { print "PASS perl-Redis-Fast $behaviour\n"; return }
    $failed++;
    my $reason = substr($@, 0, 300);
    $reason =~ s/\s+/ /g;
    print "FAIL perl-Redis-Fast $behaviour: $reason\n";
}

sub equal {
    my ($seen, $wanted) = map { defined $_ ? $_ : 'undef' } @_;
    die "$seen is not $wanted\n" unless $seen eq $wanted;
}

my $release = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
my $redis = Redis::Fast->new(server => "$host:$port", name => 'more', reconnect => 1);
my $door = "more:$$-" . time . ':door';

check 'is ready' => sub { equal($redis->ping, 'PONG') };
check 'acquires' => sub { equal($redis->set($door, 'alice', 'NX', 'PX', 5000), 'OK') };
check 'is refused while another holds it' => sub { equal($redis->set($door, 'bob', 'NX', 'PX', 5000), undef) };
check 'releases by a script, its own lock only' => sub {
    equal($redis->script_load("$release -- $door"), sha1_hex("$release -- $door"));
    equal($redis->evalsha(sha1_hex("$release -- $door"), 1, $door, 'bob'), 0);
    equal($redis->evalsha(sha1_hex("$release -- $door"), 1, $door, 'alice'), 1);
};
check 'takes over when the lease is over' => sub {
    $redis->set($door, 'alice', 'NX', 'PX', 150);
    sleep 0.25;
    equal($redis->set($door, 'bob', 'NX', 'PX', 5000), 'OK');
};
check 'pipelines' => sub {
    my @answers;
    $redis->get($door, sub { push @answers, $_[0] });
    $redis->incr("$door:n", sub { push @answers, $_[0] });
    $redis->wait_all_responses;
    equal("@answers", 'bob 1');
};
check 'watches and commits' => sub {
    $redis->watch($door);
    $redis->multi;
    $redis->del($door);
    equal(join(' ', $redis->exec), '1');
};
check 'hears of a release' => sub {
    my $ear = Redis::Fast->new(server => "$host:$port");
    my @heard;
    $ear->subscribe("$door:freed", sub { push @heard, $_[0] });
    $redis->publish("$door:freed", 'bob');
    $ear->wait_for_messages(1);
    equal("@heard", 'bob');
};
check 'waits for an element' => sub {
    $redis->rpush("$door:list", 'one', 'two');
    equal(join(' ', $redis->blpop("$door:list", 1)), "$door:list one");
    $redis->del("$door:list");
};
check 'comes back after it was cut off' => sub {
    my $other = Redis::Fast->new(server => "$host:$port");
    my ($id) = map { /^id=(\d+)/ } grep { / name=more / } split /\n/, $other->client_list;
    equal($other->client_kill('ID', $id), 1);
    equal($redis->ping, 'PONG');
};
$redis->quit;
exit($failed ? 1 : 0);
