// Words and whole lines for the fuzzer of dispatch, so that chance gets past the front door of
// every family of commands.
#pragma once

#include <array>
#include <string_view>

namespace fencepost::fuzz {

// What stands as an argument: keys of each family, numbers, options.
constexpr std::string_view kWords =
    "a b k:1 k:2 alice bob carol 0 1 2 3 -1 10 100 5000 9223372036854775807 3.5 inf -inf 0.1 * "
    "\"\" "
    "\"\\x00\\r\\n\" h1 h2 q1 q2 s1 s2 z1 z2 x1 x2 f g m n "
    "EX PX EXAT PXAT NX XX GT LT GET KEEPTTL PERSIST IFEQ IFNE WAIT SHARED LIMIT GRACE BIND META "
    "MATCH COUNT TYPE string lock hash list set zset stream REPLACE DB LEN IDX WITHVALUES "
    "LEFT RIGHT BEFORE AFTER RANK MAXLEN MINID ~ = NOMKSTREAM STREAMS BLOCK $ - + 1-* 1-1 5-0 "
    "ENTRIESADDED MAXDELETEDID FULL CH INCR BYSCORE BYLEX REV WITHSCORES WEIGHTS AGGREGATE SUM MIN "
    "MAX STORE (1 [m (m BY ALPHA ASC DESC nosort # k:* h*->f *->f "
    "ID ON OFF SKIP YES NO TIMEOUT ERROR ALL ADDR 127.0.0.1:40112 SKIPME default pw ASYNC SYNC "
    "BCAST PREFIX NOLOOP OPTIN OPTOUT REDIRECT __redis__:invalidate __keyevent@0__:set __key* "
    "maxclients lock-max-wait timeout appendonly appendfsync always everysec "
    "notify-keyspace-events KEAnm";

// Lock commands take turns with all the others, for they are what this server is for.
constexpr auto kLockLines = std::to_array<std::string_view>(
    {"LOCK a alice PX 100 WAIT 5000",
     "LOCK a bob WAIT 100",
     "LOCK b alice SHARED WAIT 1000",
     "LOCK b carol LIMIT 2 BIND",
     "LOCKMANY 2 a b bob PX 100 WAIT 1000",
     "UNLOCK a b alice",
     "LOCK a carol PX 50 GRACE 1000 BIND",
     "SET a bob NX PX 100",
     "DEL a b",
     "MULTI",
     "EXEC",
     "EVAL \"return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 100)\" 1 a bob",
     "EVAL \"return {redis.call('get', 'a'), redis.pcall('nope'), {1, 2.5}, false}\" 0",
     "EVAL \"return cjson.encode(redis.call('LOCKINFO', KEYS[1]))\" 1 a",
     "HELLO 3",
     "EXTEND a alice PX 100",
     "LOCKBREAK b",
     "WATCH a",
     "FLUSHALL",
     "AUTH pw"});

// Values of many elements.
constexpr auto kCollectionLines = std::to_array<std::string_view>(
    {"HSET h1 f 1 g 2 m x",
     "HINCRBYFLOAT h1 f 0.5",
     "HDEL h1 f g",
     "HRANDFIELD h1 -5 WITHVALUES",
     "HSCAN h1 0 COUNT 2",
     "RPUSH q1 a b 3 a",
     "LINSERT q1 BEFORE b m",
     "LREM q1 -1 a",
     "LTRIM q1 1 -1",
     "LPOS q1 a RANK -1 COUNT 0",
     "LMOVE q1 q2 LEFT RIGHT",
     "LMPOP 2 q1 q2 RIGHT COUNT 2",
     "SADD s1 1 2 3 m n",
     "SADD s2 1 2 x",
     "SMOVE s1 s2 m",
     "SPOP s1 2",
     "SRANDMEMBER s2 -4",
     "SDIFFSTORE s1 s2 s1",
     "SINTERCARD 2 s1 s2 LIMIT 1",
     "ZADD z1 1 a 2 b 2.5 m inf n",
     "ZADD z1 GT CH INCR 1 a",
     "ZADD z2 0 a 0 b 0 m",
     "ZRANGE z1 (1 +inf BYSCORE LIMIT 0 2 WITHSCORES",
     "ZRANGESTORE z2 z2 [a (m BYLEX",
     "ZUNIONSTORE z2 2 z1 s1 WEIGHTS 2 -1 AGGREGATE MIN",
     "ZINTER 2 z1 z2 WITHSCORES",
     "ZPOPMIN z1 2",
     "ZREMRANGEBYRANK z1 0 1",
     "XADD x1 MAXLEN ~ 2 * f v",
     "XADD x1 5-* f v g w",
     "XDEL x1 5-0 5-1",
     "XTRIM x1 MINID 5-1",
     "XREAD COUNT 2 STREAMS x1 x2 0 $",
     "XSETID x1 9-9 ENTRIESADDED 9",
     "XINFO STREAM x1 FULL",
     "SORT q1 ALPHA DESC LIMIT 0 3 STORE q2",
     "SORT s1 BY h*->f GET # GET k:*",
     "SORT_RO z1 BY nosort",
     "CONFIG SET stream-node-max-entries 2",
     "COPY x1 x2 REPLACE",
     "RENAME q1 q2",
     "OBJECT ENCODING h1",
     "EVAL \"return {redis.call('hgetall', 'h1'), redis.call('xrange', 'x1', '-', '+')}\" 0"});

// Those who wait for keys, who listen, and who cache; and what a journal is told.
constexpr auto kListenerLines =
    std::to_array<std::string_view>({"BLPOP q1 q2 0",
                                     "BRPOP q1 1",
                                     "BLMOVE q1 q2 LEFT RIGHT 2",
                                     "BRPOPLPUSH q2 q1 1",
                                     "BLMPOP 0 2 q1 q2 LEFT COUNT 2",
                                     "BZPOPMIN z1 z2 1",
                                     "BZMPOP 0 2 z1 z2 MAX COUNT 2",
                                     "XREAD BLOCK 1000 STREAMS x1 $",
                                     "XREAD COUNT 1 BLOCK 0 STREAMS x1 x2 $ 5-0",
                                     "CLIENT UNBLOCK 2 ERROR",
                                     "CLIENT KILL TYPE pubsub",
                                     "SUBSCRIBE a __keyevent@0__:set __redis__:invalidate",
                                     "PSUBSCRIBE * __key*",
                                     "SSUBSCRIBE a",
                                     "UNSUBSCRIBE",
                                     "PUNSUBSCRIBE *",
                                     "PUBLISH a hello",
                                     "SPUBLISH a hello",
                                     "PUBSUB NUMSUB a b",
                                     "CONFIG SET notify-keyspace-events KEAnm",
                                     "CLIENT TRACKING ON",
                                     "CLIENT TRACKING OFF",
                                     "CLIENT TRACKING ON OPTIN NOLOOP",
                                     "CLIENT CACHING YES",
                                     "CLIENT TRACKING ON BCAST PREFIX h PREFIX q",
                                     "CLIENT TRACKING ON REDIRECT 2",
                                     "CONFIG SET tracking-table-max-keys 1",
                                     "CONFIG SET appendfsync always",
                                     "SAVE",
                                     "BGREWRITEAOF",
                                     "RESET",
                                     "MONITOR",
                                     "SWAPDB 0 1",
                                     "MOVE q1 1",
                                     "SET h1 x",
                                     "EXPIRE z1 1"});

}  // namespace fencepost::fuzz
