// What random requests for sorted sets are made of.
#pragma once

#include <string_view>

#include "tests/compat/vocabulary.h"

namespace fencepost::compat {

// Keys that are mostly sorted sets, and keys whose members all have one score.
constexpr Form kSortedSetForms[] = {
    {30, "ZADD @zset_key @score @member"},
    {40, "ZADD @zset_key @score @member @score @member @score @member"},
    {40, "ZADD @zset_key @zadd_options @score @member"},
    {10, "ZADD @zset_key @zadd_options @score @member @score @member"},
    {30, "ZADD @lex_key 0 @member 0 @member 0 @member"},
    {10, "ZREM @zset_key @member @member"},
    {8, "ZSCORE @zset_key @member"},
    {6, "ZMSCORE @zset_key @member @member @member"},
    {6, "ZCARD @zset_key"},
    {8, "ZRANK @zset_key @member"},
    {8, "ZREVRANK @zset_key @member"},
    {12, "ZINCRBY @zset_key @score @member"},
    {10, "ZCOUNT @zset_key @score_end @score_end"},
    {10, "ZLEXCOUNT @lex_key @lex_end @lex_end"},
    {12, "ZRANGE @zset_key @offset @offset @range_options"},
    {12, "ZRANGE @zset_key @score_end @score_end BYSCORE @range_options"},
    {12, "ZRANGE @lex_key @lex_end @lex_end BYLEX @range_options"},
    {6, "ZRANGE @zset_key 0 -1 WITHSCORES"},
    {8, "ZREVRANGE @zset_key @offset @offset @range_options"},
    {10, "ZRANGEBYSCORE @zset_key @score_end @score_end @range_options"},
    {10, "ZREVRANGEBYSCORE @zset_key @score_end @score_end @range_options"},
    {8, "ZRANGEBYLEX @lex_key @lex_end @lex_end @range_options"},
    {8, "ZREVRANGEBYLEX @lex_key @lex_end @lex_end @range_options"},
    {6, "ZRANGESTORE @zset_key @zset_key @offset @offset @range_options"},
    {6, "ZRANGESTORE @zset_key @zset_key @score_end @score_end BYSCORE @range_options"},
    {4, "ZRANGESTORE @lex_key @lex_key @lex_end @lex_end BYLEX @range_options"},
    {5, "ZREMRANGEBYSCORE @zset_key @score_end @score_end"},
    {5, "ZREMRANGEBYRANK @zset_key @offset @offset"},
    {5, "ZREMRANGEBYLEX @lex_key @lex_end @lex_end"},
    {5, "ZPOPMIN @zset_key"},
    {5, "ZPOPMIN @zset_key @offset"},
    {5, "ZPOPMAX @zset_key @offset"},
    {5, "ZMPOP 2 @zset_key @zset_key MIN"},
    {5, "ZMPOP @numkeys @zset_key @zset_key MAX COUNT @offset"},
    {4, "BZPOPMIN @zset_key @zset_key 0.01"},
    {4, "BZPOPMAX @zset_key 0.01"},
    {2, "BZPOPMIN @zset_key @junk"},
    {4, "BZMPOP 0.01 2 @zset_key @zset_key MIN"},
    {3, "BZMPOP 0.01 @numkeys @zset_key MAX COUNT @offset"},
    {4, "ZRANDMEMBER @zset_key"},
    {4, "ZRANDMEMBER @zset_key @offset"},
    {4, "ZRANDMEMBER @zset_key @offset WITHSCORES"},
    {8, "ZSCAN @zset_key 0 COUNT 1000 @scan_options"},
    {10, "ZUNION 2 @zset_key @zset_key @combine_options"},
    {10, "ZINTER 2 @zset_key @zset_key @combine_options"},
    {6, "ZUNION 3 @zset_key @zset_key @zset_key WEIGHTS @score @score @score @combine_options"},
    {5, "ZUNION @numkeys @zset_key @zset_key @combine_options"},
    {8, "ZUNION 2 @zset_key @set_key @combine_options"},
    {6, "ZINTERSTORE @zset_key 2 @set_key @zset_key @combine_options"},
    {4, "ZDIFF 2 @set_key @zset_key WITHSCORES"},
    {8, "ZDIFF 2 @zset_key @zset_key WITHSCORES"},
    {6, "ZUNIONSTORE @zset_key 2 @zset_key @zset_key @combine_options"},
    {6, "ZINTERSTORE @zset_key 2 @zset_key @zset_key @combine_options"},
    {4, "ZINTERSTORE @zset_key @numkeys @zset_key @zset_key"},
    {6, "ZDIFFSTORE @zset_key 2 @zset_key @zset_key"},
    {6, "ZINTERCARD 2 @zset_key @zset_key"},
    {4, "ZINTERCARD 2 @zset_key @zset_key LIMIT @offset"},
    {6, "OBJECT ENCODING @zset_key"},
    {4, "TYPE @zset_key"},
    {3, "DEL @zset_key"},
    {4, "RENAME @zset_key @zset_key"},
    {4, "COPY @zset_key @zset_key REPLACE"},
    {2, "SET @zset_key @value"},
    {2, "WATCH @zset_key"},
    {2, "MULTI"},
    {4, "EXEC"},
    {1, "HELLO @protocol"},
};

constexpr std::string_view kScoreEnds[] = {"-inf", "+inf", "inf", "(-inf", "(inf",  "(1", "(0",
                                           "",     "(",    " 1",  "1 ",    "nan",   "(x", "0x2",
                                           "((1",  "[1",   "1e2", "-",     "(1e999"};
constexpr std::string_view kLexEnds[] = {"-",   "+",   "[",  "(",   "[m3",   "(m3",
                                         "[m5", "(m7", "[m", "(m1", "[m10",  "(m9",
                                         "m3",  "",    "+x", "-x",  "[\xff", "]m"};

}  // namespace fencepost::compat
