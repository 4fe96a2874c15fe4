// What random requests for SORT are made of: things to sort, and keys that weigh them.
#pragma once

#include <string_view>

#include "tests/compat/vocabulary.h"

namespace fencepost::compat {

constexpr Form kSortForms[] = {
    {30, "RPUSH @sorted_list @sorted @sorted @sorted"},
    {6, "RPUSH @sorted_list @value"},
    {20, "SADD @sorted_set @sorted @sorted @sorted"},
    {3, "SADD @sorted_set @value"},
    {20, "ZADD @zset_key @score @sorted @score @sorted"},
    {10, "SET @text_key @number"},
    {6, "HSET @hash_key @field @number @field @value"},
    {30, "SORT @sorted_list @sort_options"},
    {30, "SORT @sorted_set @sort_options"},
    {20, "SORT @zset_key @sort_options"},
    {10, "SORT_RO @sorted_list @sort_options"},
    {10, "SORT_RO @sorted_set @sort_options"},
    {10, "SORT @sorted_list BY nosort @sort_options"},
    {10, "SORT @zset_key BY nosort @sort_options"},
    {10, "SORT @sorted_set BY nosort DESC STORE @sorted_list"},
    {10, "SORT @sorted_list @sort_options STORE @sorted_list"},
    {6, "SORT @sorted_set @sort_options STORE @sorted_set"},
    {20, "LRANGE @sorted_list 0 -1"},
    {6, "DEL @sorted_list"},
    {6, "DEL @sorted_set"},
    {2, "COMMAND GETKEYS SORT @key @sort_options STORE @key"},
    {2, "COMMAND GETKEYSANDFLAGS SORT @key @sort_options STORE @key"},
    {1, "MULTI"},
    {3, "EXEC"},
};

}  // namespace fencepost::compat
