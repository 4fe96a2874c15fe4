// What may differ between the two servers: read from differences.md.
//
//   file   = { line }
//   line   = "| " cell { " | " cell } " |"        within a table; everything else is prose
//   tables   by the heading above them:
//     ## Likeness       | `COMMAND` | `any_order` / `listed_order` / ... | reason |
//     ## Pairs          | `COMMAND` | `glob over Redis's bytes` | `glob over ours` | reason |
//     ## Not compared   | `COMMAND` | reason |
// CR and LF stand as \r and \n in globs.
#include "tests/compat/differences.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "base/number.h"
#include "base/text.h"

namespace fencepost::compat {

namespace {

constexpr std::int64_t kNear = 3'000;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" `");
  if (first == std::string_view::npos) return "";
  return std::string{text.substr(first, text.find_last_not_of(" `") - first + 1)};
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  line.remove_prefix(1);
  for (std::size_t end = line.find('|'); end != std::string_view::npos; end = line.find('|')) {
    // COMMAND|SUBCOMMAND stands as COMMAND SUBCOMMAND in the file, for '|' ends a cell.
    cells.push_back(trimmed(line.substr(0, end)));
    line.remove_prefix(end + 1);
  }
  return cells;
}

std::string full_name(std::string cell) {
  std::replace(cell.begin(), cell.end(), ' ', '|');
  return cell;
}

std::string with_line_ends(std::string text) {
  for (const auto& [written, meant] :
       {std::pair{std::string{"\\r"}, "\r"}, std::pair{std::string{"\\n"}, "\n"}}) {
    for (std::size_t at = text.find(written); at != std::string::npos; at = text.find(written)) {
      text.replace(at, written.size(), meant);
    }
  }
  return text;
}

Likeness to_likeness(const std::string& word) {
  if (word == "any_order") return Likeness::any_order;
  if (word == "listed_order") return Likeness::listed_order;
  if (word == "listed_pairs") return Likeness::listed_pairs;
  if (word == "number_order") return Likeness::number_order;
  if (word == "text_order") return Likeness::text_order;
  if (word == "near") return Likeness::near;
  if (word == "shape") return Likeness::shape;
  throw std::runtime_error("no such likeness: " + word);
}

bool equal(const resp::Reply& a, const resp::Reply& b) {
  return a.type == b.type && a.text == b.text && a.integer == b.integer &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), equal);
}

bool same_shape(const resp::Reply& a, const resp::Reply& b) {
  if (a.is_error()) return equal(a, b);
  return a.type == b.type &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same_shape);
}

// Sorts the members of arrays that hold nothing but strings.
resp::Reply in_order(resp::Reply reply) {
  for (resp::Reply& item : reply.items) item = in_order(std::move(item));
  const auto is_text = [](const resp::Reply& item) { return item.type == resp::Reply::Type::bulk; };
  if (std::all_of(reply.items.begin(), reply.items.end(), is_text)) {
    std::sort(reply.items.begin(), reply.items.end(),
              [](const resp::Reply& a, const resp::Reply& b) { return a.text < b.text; });
  }
  return reply;
}

// The same for arrays of pairs.
resp::Reply pairs_in_order(resp::Reply reply) {
  for (resp::Reply& item : reply.items) item = pairs_in_order(std::move(item));
  const auto is_text = [](const resp::Reply& item) { return item.type == resp::Reply::Type::bulk; };
  if (reply.items.size() % 2 == 1 ||
      !std::all_of(reply.items.begin(), reply.items.end(), is_text)) {
    return reply;
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t at = 0; at < reply.items.size(); at += 2)
    pairs.emplace_back(reply.items[at].text, reply.items[at + 1].text);
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t at = 0; at < reply.items.size(); at += 2) {
    reply.items[at].text = pairs[at / 2].first;
    reply.items[at + 1].text = pairs[at / 2].second;
  }
  return reply;
}

bool is_near(const resp::Reply& a, const resp::Reply& b) {
  if (a.type != resp::Reply::Type::integer || b.type != a.type) return equal(a, b);
  return a.integer >= 0 && b.integer >= 0 && std::abs(a.integer - b.integer) <= kNear;
}

bool is_few_numbers(const resp::Reply& reply) {
  return reply.items.size() <= kMostOrderedNumbers &&
         std::all_of(reply.items.begin(), reply.items.end(),
                     [](const resp::Reply& item) { return parse_integer(item.text).has_value(); });
}

bool has_zero_byte(const resp::Reply& reply) {
  return std::any_of(reply.items.begin(), reply.items.end(), [](const resp::Reply& item) {
    return item.text.find('\0') != std::string::npos;
  });
}

bool alike(Likeness likeness, const resp::Reply& a, const resp::Reply& b, Order order) {
  switch (likeness) {
    case Likeness::exact:
      return equal(a, b);
    case Likeness::any_order:
      return equal(in_order(a), in_order(b));
    case Likeness::listed_order:
      return order == Order::listed ? equal(a, b) : equal(in_order(a), in_order(b));
    case Likeness::listed_pairs:
      return order == Order::listed ? equal(a, b) : equal(pairs_in_order(a), pairs_in_order(b));
    case Likeness::number_order:
      return is_few_numbers(a) ? equal(a, b) : equal(in_order(a), in_order(b));
    case Likeness::text_order:
      return has_zero_byte(a) || order == Order::open ? equal(in_order(a), in_order(b))
                                                      : equal(a, b);
    case Likeness::near:
      return is_near(a, b);
    case Likeness::shape:
      return same_shape(a, b);
  }
  return false;
}

}  // namespace

Differences::Differences(const std::string& path) {
  std::ifstream file{path};
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string heading;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = cells_of(line);
    const std::string command = full_name(cells.at(0));
    if (cells.back().empty()) throw std::runtime_error("a line without a reason: " + line);
    if (heading == "Likeness" && cells.size() == 3) {
      likeness_[command] = to_likeness(cells[1]);
    } else if (heading == "Pairs" && cells.size() == 4) {
      pairs_.emplace(command, Pair{with_line_ends(cells[1]), with_line_ends(cells[2])});
    } else if (heading == "Not compared" && cells.size() == 2) {
      not_compared_[command] = cells[1];
    } else {
      throw std::runtime_error("not understood: " + line);
    }
  }
}

Likeness Differences::likeness(std::string_view command) const {
  const auto found = likeness_.find(command);
  return found == likeness_.end() ? Likeness::exact : found->second;
}

bool Differences::allow(std::string_view command, const Answer& redis, const Answer& ours,
                        Order order) const {
  if (equal(redis.reply, ours.reply)) return true;
  if (alike(likeness(command), redis.reply, ours.reply, order)) return true;
  for (const std::string_view name : {command, std::string_view{"*"}}) {
    const auto [first, end] = pairs_.equal_range(name);
    const bool paired = std::any_of(first, end, [&redis, &ours](const auto& named) {
      return glob_matches(named.second.redis, redis.bytes) &&
             glob_matches(named.second.ours, ours.bytes);
    });
    if (paired) return true;
  }
  return false;
}

}  // namespace fencepost::compat
