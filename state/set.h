// A set: members, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "state/collection.h"
#include "state/field_table.h"

namespace fencepost::state {

// As long as all members are whole numbers, and not too many, they are kept as such, from the least
// to the greatest (Redis's intset); from then on as texts.
class Set final : public Collection {
 public:
  static constexpr Type kType = Type::set;

  explicit Set(std::uint64_t hash_seed) : texts_{hash_seed} { texts_.forget_order(); }

  Type type() const override { return kType; }
  std::size_t size() const override { return is_numbers_ ? numbers_.size() : texts_.size(); }
  std::unique_ptr<Collection> clone() const override { return std::make_unique<Set>(*this); }
  std::string_view encoding() const override { return is_numbers_ ? "intset" : "hashtable"; }
  std::size_t memory_bytes() const override;
  bool ordered() const override { return false; }
  void for_each(
      const std::function<void(std::span<const std::string_view> parts)>& see) const override;

  bool contains(std::string_view member) const;
  // Whether it is new. Up to `most_numbers` members are kept as numbers.
  bool add(std::string_view member, std::size_t most_numbers);
  // Whether it was there.
  bool erase(std::string_view member);
  // All at these positions, which ascend.
  void erase_at(const std::vector<std::size_t>& positions);

  // The member at a position, of which there are size(). Good until the set is changed, or
  // `digits`, where a number is written.
  std::string_view at(std::size_t position, std::string& digits) const;
  // It never becomes one of numbers again.
  bool is_numbers() const { return is_numbers_; }
  void become_texts();
  // Calls `see(member)` as FieldTable::scan does. Only of a set of texts.
  template <typename See>
  std::uint64_t scan(std::uint64_t cursor, std::size_t count, const See& see) const {
    return texts_.scan(cursor, count, [&see](const auto& entry) { see(entry.field); });
  }

 private:
  bool add_number(std::int64_t number, std::size_t most_numbers);
  void give_back();

  std::vector<std::int64_t> numbers_;  // in order
  FieldTable<Nothing> texts_;
  bool is_numbers_ = true;
};

}  // namespace fencepost::state
