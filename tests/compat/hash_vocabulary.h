// What random requests for hashes and sets are made of.
#pragma once

#include <string_view>

#include "tests/compat/vocabulary.h"

namespace fencepost::compat {

// Keys that are mostly hashes.
constexpr Form kHashForms[] = {
    {14, "HSET @hash_key @field @field_value"},
    {8, "HSET @hash_key @field @field_value @field @field_value"},
    {3, "HMSET @hash_key @field @field_value @field @field_value"},
    {4, "HSETNX @hash_key @field @field_value"},
    {6, "HGET @hash_key @field"},
    {4, "HMGET @hash_key @field @field"},
    {6, "HDEL @hash_key @field"},
    {4, "HDEL @hash_key @field @field @field"},
    {3, "HEXISTS @hash_key @field"},
    {3, "HLEN @hash_key"},
    {3, "HSTRLEN @hash_key @field"},
    {4, "HKEYS @hash_key"},
    {4, "HVALS @hash_key"},
    {8, "HGETALL @hash_key"},
    {6, "HINCRBY @hash_key @field @number"},
    {6, "HINCRBYFLOAT @hash_key @field @modest_real"},
    {3, "HRANDFIELD @hash_key"},
    {6, "HRANDFIELD @hash_key @count @randfield_options"},
    {6, "HSCAN @hash_key 0 COUNT 1000 @element_options"},
    {6, "OBJECT ENCODING @hash_key"},
    {3, "TYPE @hash_key"},
    {6, "DEL @hash_key"},
    {4, "RENAME @hash_key @hash_key"},
    {4, "COPY @hash_key @hash_key REPLACE"},
    {2, "SET @hash_key @value"},
    {3, "WATCH @hash_key"},
    {3, "MULTI"},
    {4, "EXEC"},
};

// Keys that are mostly sets.
constexpr Form kSetForms[] = {
    {14, "SADD @set_key @set_member @set_member"},
    {6, "SADD @set_key @set_member @set_member @set_member @set_member @set_member @set_member"},
    {6, "SREM @set_key @set_member"},
    {4, "SREM @set_key @set_member @set_member @set_member"},
    {3, "SCARD @set_key"},
    {4, "SISMEMBER @set_key @set_member"},
    {4, "SMISMEMBER @set_key @set_member @set_member"},
    {8, "SMEMBERS @set_key"},
    {6, "SMOVE @set_key @set_key @set_member"},
    {3, "SPOP @set_key @pop_count"},
    {3, "SRANDMEMBER @set_key"},
    {5, "SRANDMEMBER @set_key @count"},
    {6, "SINTER @set_key @set_key"},
    {4, "SUNION @set_key @set_key @set_key"},
    {6, "SDIFF @set_key @set_key @set_key"},
    {3, "SINTER @set_key"},
    {4, "SINTERSTORE @set_key @set_key @set_key"},
    {4, "SUNIONSTORE @set_key @set_key @set_key"},
    {6, "SDIFFSTORE @set_key @set_key @set_key"},
    {4, "SINTERCARD 2 @set_key @set_key @intercard_options"},
    {2, "SINTERCARD @number @set_key @set_key"},
    {6, "SSCAN @set_key 0 COUNT 1000 @element_options"},
    {6, "OBJECT ENCODING @set_key"},
    {3, "TYPE @set_key"},
    {6, "DEL @set_key"},
    {4, "RENAME @set_key @set_key"},
    {4, "COPY @set_key @set_key REPLACE"},
    {2, "SET @set_key @value"},
    {3, "WATCH @set_key"},
    {3, "MULTI"},
    {4, "EXEC"},
};

// So many that a hash of them stays a listpack, and a set of them one of numbers.
constexpr std::string_view kFields[] = {"", "f1", "f2", "f3", "f4", "owner:1", "\xff\n", "7"};
constexpr std::string_view kMembers[] = {"-5", "0",     "1",           "2",
                                         "10", "70000", "-5000000000", "9223372036854775807"};

constexpr std::string_view kCounts[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "7",
                                        "20",
                                        "1000",
                                        "-1",
                                        "-2",
                                        "-7",
                                        "-30",
                                        "007",
                                        "x",
                                        "-9223372036854775808",
                                        "9223372036854775807",
                                        "9223372036854775808"};

}  // namespace fencepost::compat
