// A hash: fields, each with a value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "state/collection.h"
#include "state/field_table.h"

namespace fencepost::state {

// In the order in which the fields came, as long as Redis would keep it as a listpack.
class Hash final : public Collection {
 public:
  static constexpr Type kType = Type::hash;

  // How long that is: with so many fields at most, and no text longer than that.
  struct Compact {
    std::size_t fields;
    std::size_t bytes;
  };

  explicit Hash(std::uint64_t hash_seed) : fields_{hash_seed} {}

  Type type() const override { return kType; }
  std::size_t size() const override { return fields_.size(); }
  std::unique_ptr<Collection> clone() const override { return std::make_unique<Hash>(*this); }
  std::string_view encoding() const override { return is_compact_ ? "listpack" : "hashtable"; }
  std::size_t memory_bytes() const override;
  bool ordered() const override { return false; }
  void for_each(
      const std::function<void(std::span<const std::string_view> parts)>& see) const override;

  // The field's value; null when it is not there.
  const std::string* find(std::string_view field) const { return fields_.find(field); }
  // Whether the field is new.
  bool set(std::string_view field, std::string_view value, const Compact& compact);
  // Whether it was there.
  bool erase(std::string_view field);

  // All there is to look at.
  const FieldTable<std::string>& fields() const { return fields_; }
  // It never becomes compact again.
  bool is_compact() const { return is_compact_; }
  // From now on it is not, whatever it has.
  void outgrow();

 private:
  FieldTable<std::string> fields_;
  bool is_compact_ = true;
};

}  // namespace fencepost::state
