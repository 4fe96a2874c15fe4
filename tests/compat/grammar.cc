// Random requests: commands with plausible arguments, and with faults in them.
#include "tests/compat/grammar.h"

#include <algorithm>
#include <set>
#include <span>

#include "base/sha1.h"
#include "base/text.h"
#include "base/words.h"
#include "tests/compat/generic_vocabulary.h"
#include "tests/compat/hash_vocabulary.h"
#include "tests/compat/script_grammar.h"
#include "tests/compat/sort_vocabulary.h"
#include "tests/compat/sorted_set_vocabulary.h"
#include "tests/compat/vocabulary.h"
#include "tests/compat/vocabulary_collections.h"

namespace fencepost::compat {

namespace {

constexpr std::string_view kContainers[] = {"SCRIPT",  "OBJECT",  "CLIENT", "COMMAND", "CONFIG",
                                            "LATENCY", "SLOWLOG", "MEMORY", "MODULE",  "XINFO"};

bool is_container(std::string_view word) {
  return std::count(std::begin(kContainers), std::end(kContainers), to_upper(word)) > 0;
}

std::string array_of(const Words& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    bytes.append("$").append(std::to_string(word.size())).append("\r\n");
    bytes.append(word).append("\r\n");
  }
  return bytes;
}

// As a person would type it.
std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return c > ' ' && c <= '~' && c != '"' && c != '\\';
    });
    line += (plain ? word : quoted(word)) + " ";
  }
  return line;
}

// Every family of forms; some rounds are mostly made of one.
constexpr std::span<const Form> kFamilies[] = {kForms,          kHashForms,   kSetForms,
                                               kSortedSetForms, kListForms,   kStreamForms,
                                               kSortForms,      kGenericForms};

const Form& chosen(std::span<const Form> forms, Random& random) {
  int sum = 0;
  for (const Form& form : forms) sum += form.weight;
  int left = static_cast<int>(random.below(static_cast<std::uint64_t>(sum)));
  auto form = forms.begin();
  while ((left -= form->weight) >= 0) ++form;
  return *form;
}

}  // namespace

std::string to_bytes(const Step& step) {
  std::string bytes;
  for (const Words& words : step.before) bytes += array_of(words);
  return bytes + (step.words.empty() ? step.raw : array_of(step.words));
}

std::string to_our_bytes(const Step& step) {
  return step.our_words.empty() ? to_bytes(step) : array_of(step.our_words);
}

std::string to_line(const Step& step) {
  std::string line = std::to_string(step.connection) + (step.new_turn ? "> " : ". ");
  if (step.wait_ms > 0) line += "(after " + std::to_string(step.wait_ms) + " ms) ";
  if (step.hangs_up) return line + "(hangs up)";
  if (step.words.empty()) return line + "raw " + quoted(step.raw);
  for (const Words& words : step.before) line += "(" + line_of(words) + ") ";
  return line + line_of(step.words);
}

std::vector<std::string> Grammar::commands() {
  std::set<std::string> names;
  const auto note = [&names](const Form& form) {
    if (form.text.starts_with('@')) return;
    std::vector<std::string> words;
    split_words(form.text, words);
    std::string name = words[0];
    if (is_container(name)) {
      if (words[1].starts_with('@')) return;
      name += "|" + words[1];
    }
    names.insert(name);
  };
  for (const auto& family : kFamilies) std::for_each(family.begin(), family.end(), note);
  std::for_each(std::begin(kCrowdForms), std::end(kCrowdForms), note);
  return {names.begin(), names.end()};
}

std::vector<Step> Grammar::round(std::size_t size) {
  lapses_ = chance(25);
  wrong_types_ = chance(25);
  compact_ = chance(40);
  focus_ = one_of(kFamilies);
  std::vector<Step> steps;
  steps.push_back({.connection = kConnections - 1, .words = {"HELLO", "3"}});
  if (focus_.data() == kStreamForms) {
    // Small nodes, so that streams have several.
    steps.push_back(
        {.connection = 0, .words = expand("CONFIG SET stream-node-max-entries @small")});
    steps.push_back({.connection = 0, .words = {"CONFIG", "SET", "stream-node-max-bytes", "4096"}});
  }
  if (wrong_types_) {
    // The one type besides strings that each of them has.
    steps.push_back({.connection = 0,
                     .words = {"RPUSH", std::string{kNoString}, "x"},
                     .our_words = {"LOCK", std::string{kNoString}, "o", "SHARED", "EX", "80000"}});
  }
  while (steps.size() < size) {
    const int connection = static_cast<int>(random_.below(kConnections));
    if (lapses_ && chance(10)) add_lapse(steps, connection);
    if (chance(5)) add_pop(steps, connection);
    const std::size_t turn = 1 + random_.below(12);
    for (std::size_t i = 0; i < turn; ++i) {
      Step step{.connection = connection, .wait_ms = 0, .new_turn = i == 0};
      if (chance(1)) {
        const Raw& raw = one_of(kRaw);
        step.raw = raw.bytes;
        step.replies = raw.replies;
      } else {
        step.words = command();
        step.before = requests_before(step.words);
      }
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

// A lease that is over when the next request comes, on both servers. Not in a transaction, which
// may run at any time.
void Grammar::add_lapse(std::vector<Step>& steps, int connection) {
  steps.push_back({.connection = connection, .words = {"DISCARD"}});
  steps.push_back({.connection = connection, .words = {"PSETEX", key(), "1", value()}});
  steps.push_back({.connection = connection, .words = {"PING"}, .wait_ms = 4});
}

const Form& Grammar::form() {
  return chosen(chance(75) ? focus_ : one_of(kFamilies), random_);
}

// Where databases are swapped there is one list and nothing else to wait for: see crowd().
const Form& Grammar::crowd_form() {
  const Form* form = &chosen(kCrowdForms, random_);
  const auto has_other_keys = [&form] {
    return form->text.find("@stream_key") != std::string_view::npos ||
           form->text.find("@zset_key") != std::string_view::npos;
  };
  while (few_keys_ && has_other_keys()) form = &chosen(kCrowdForms, random_);
  return *form;
}

Words Grammar::command() {
  const Form* form = &this->form();
  // Redis still counts keys that are over until it comes by to remove them.
  if (lapses_ && form->text == "DBSIZE") return {"PING"};
  Words words = expand(form->text);
  // A KILL with a fault in it might hit. Members with different scores have no order by name.
  const auto is_about = [form](std::string_view word) {
    return form->text.find(word) != std::string_view::npos;
  };
  if (!compact_ && chance(4) && !is_about("KILL") && !is_about("@lex_key") && !is_about("SORT"))
    spoil(words);
  make_comparable(words);
  return words;
}

Words Grammar::expand(std::string_view form) {
  Words words;
  while (!form.empty()) {
    const std::size_t end = std::min(form.find(' '), form.size());
    expand_word(form.substr(0, end), words);
    form.remove_prefix(std::min(end + 1, form.size()));
  }
  return words;
}

void Grammar::expand_word(std::string_view word, Words& into) {
  if (!word.starts_with('@')) {
    into.push_back(letters(word));
  } else if (word.ends_with("_options")) {
    const std::uint64_t count = random_.below(4);
    for (std::uint64_t i = 0; i < count; ++i) add_options(word, into);
  } else if (word == "@key") {
    into.push_back(key());
  } else if (word == "@text_key") {
    into.push_back(wrong_types_ && chance(25) ? std::string{kNoString} : key());
  } else if (const auto made = word_of_hashes(word); !made.empty()) {
    into.push_back(made.front());
  } else if (const auto sorting = word_of_sorting(word); !sorting.empty()) {
    into.push_back(sorting.front());
  } else if (word == "@value") {
    into.push_back(value());
  } else if (word == "@number") {
    into.push_back(number());
  } else if (word == "@offset") {
    into.push_back(chance(85) ? std::to_string(static_cast<int>(random_.below(16)) - 6) : number());
  } else if (word == "@real") {
    into.push_back(real());
  } else if (word == "@lease_s") {
    into.push_back(lease(1000));
  } else if (word == "@lease_ms") {
    into.push_back(lease(1));
  } else if (word == "@moment_s") {
    into.push_back(moment(1000));
  } else if (word == "@moment_ms") {
    into.push_back(moment(1));
  } else if (word == "@database") {
    into.push_back(chance(70) ? std::to_string(random_.below(3)) : number());
  } else if (word == "@pattern") {
    into.push_back(std::string{one_of(kPatterns)});
  } else if (word == "@script") {
    into.push_back(chance(60) ? ScriptGrammar{random_}.script() : std::string{one_of(kScripts)});
  } else if (word == "@typed_script") {
    into.push_back(std::string{one_of(kTypedScripts)});
  } else if (word == "@any_key") {
    into.push_back(any_key());
  } else if (word == "@digest") {
    into.push_back(chance(90) ? sha1_hex(one_of(kScripts)) : value());
  } else if (word == "@protocol") {
    into.push_back(chance(70) ? std::to_string(2 + random_.below(2)) : number());
  } else if (word == "@request") {
    // Which keys SINTERCARD has is told by a count, and what is no number to us has no keys.
    std::string_view form = one_of(one_of(kFamilies)).text;
    while (form.starts_with("SINTERCARD")) form = one_of(kForms).text;
    for (std::string& part : expand(form)) into.push_back(std::move(part));
  } else if (word == "@name") {
    // Of a container's subcommands every server answers in an order of its own.
    const std::string name = expand(one_of(one_of(kFamilies)).text).front();
    into.push_back(is_container(name) ? "get" : name);
  } else if (word == "@name_of_client") {
    into.push_back(bytes(random_.below(12)));
  } else if (word == "@on_off") {
    into.push_back(letters(chance(50) ? "on" : "off"));
  } else if (!expand_collection_word(word, into)) {
    into.push_back(std::string{one_of(kJunk)});
  }
}

// One option of a command, with its argument.
void Grammar::add_options(std::string_view kind, Words& into) {
  using Options = std::vector<std::string_view>;
  const auto choose = [this, &into](const Options& options) {
    for (std::string& word : expand(one_of(options))) into.push_back(std::move(word));
  };
  if (kind == "@set_options" && wrong_types_) {
    // KEEPTTL would keep what is left of the lock's lease; the list has none.
    return choose({"NX", "XX", "GET", "EX @lease_s"});
  }
  if (kind == "@set_options") {
    return choose({"NX", "XX", "GET", "KEEPTTL", "EX @lease_s", "PX @lease_ms", "EXAT @moment_s",
                   "PXAT @moment_ms"});
  }
  if (kind == "@getex_options") {
    return choose({"PERSIST", "EX @lease_s", "PX @lease_ms", "EXAT @moment_s", "PXAT @moment_ms"});
  }
  if (kind == "@lcs_options") {
    return choose({"LEN", "IDX", "MINMATCHLEN @number", "WITHMATCHLEN", "IDX WITHMATCHLEN"});
  }
  if (kind == "@copy_options") return choose({"REPLACE", "DB @database"});
  if (kind == "@expire_options") return choose({"NX", "XX", "GT", "LT"});
  if (kind == "@sort_options") return choose(options_of_sorting());
  if (kind == "@scan_options") {
    return choose({"MATCH @pattern", "TYPE string", "TYPE hash", "TYPE SET", "TYPE @value"});
  }
  if (kind == "@element_options") return choose({"MATCH @pattern", "MATCH *1*", "COUNT 2000"});
  if (kind == "@randfield_options") return choose({"WITHVALUES", "WITHVALUES", "@junk"});
  if (kind == "@intercard_options") return choose({"LIMIT @number", "LIMIT 1", "@junk"});
  if (kind == "@flush_options") return choose({"SYNC", "ASYNC", "@junk"});
  const auto others = collection_options(kind);
  if (!others.empty()) return choose({others.begin(), others.end()});
}

// In small letters, in capitals, or in both.
std::string Grammar::letters(std::string_view word) {
  switch (random_.below(4)) {
    case 0:
      return to_lower(word);
    case 1: {
      std::string mixed{word};
      for (char& c : mixed) c = chance(50) ? to_lower(c) : to_upper(c);
      return mixed;
    }
    default:
      return std::string{word};
  }
}

// Few keys, so that commands meet on them.
std::string Grammar::key() {
  if (chance(90)) return "k" + std::to_string(random_.below(8));
  if (chance(80)) return std::string{"\0\r\n k\xff", 6};
  return "";
}

std::string Grammar::value() {
  switch (random_.below(8)) {
    case 0:
    case 1:
      return number();
    case 2:
      return real();
    case 3:
      return std::to_string(random_.below(20'000));
    case 4:
      return bytes(random_.below(12));
    case 5:
      return bytes(40 + random_.below(10));
    case 6:
      return chance(2) ? bytes(random_.below(40'000)) : bytes(random_.below(200));
    default:
      return "v" + std::to_string(random_.below(5));
  }
}

std::string Grammar::number() {
  return chance(50) ? std::to_string(static_cast<int>(random_.below(200)) - 100)
                    : std::string{one_of(kNumbers)};
}

std::string Grammar::real() {
  return chance(30) ? std::to_string(static_cast<int>(random_.below(2000)) - 1000) + "." +
                          std::to_string(random_.below(1000))
                    : std::string{one_of(kReals)};
}

// Leases that may be compared (GT, LT) differ by much more than the time a request takes.
std::string Grammar::lease(std::int64_t unit_ms) {
  if (chance(15)) return number();
  const auto seconds = static_cast<std::int64_t>(1'000 + 60 * random_.below(100'000));
  return std::to_string(seconds * (1000 / unit_ms));
}

std::string Grammar::moment(std::int64_t unit_ms) {
  if (chance(10) && lapses_) return number();
  const auto seconds = static_cast<std::int64_t>(1'030 + 60 * random_.below(100'000));
  const bool past = lapses_ && chance(15);
  return std::to_string((unix_ms_ + (past ? -seconds : seconds) * 1000) / unit_ms);
}

std::string Grammar::bytes(std::size_t size) {
  std::string made(size, '\0');
  const bool text = chance(60);
  for (char& c : made) {
    c = static_cast<char>(text ? 'a' + static_cast<int>(random_.below(4))
                               : static_cast<int>(random_.below(256)));
  }
  return made;
}

}  // namespace fencepost::compat
