// Random scripts: every library of the sandbox, conversions both ways, and faults.
#include "tests/compat/script_grammar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "tests/compat/script_vocabulary.h"

namespace fencepost::compat {

namespace {

using namespace std::literals;

constexpr int kDeepest = 3;
// Bytes that mean something to MessagePack.
constexpr std::string_view kPacked =
    "\x00\x01\x7f\x81\x82\x90\x91\x92\xa0\xa1\xa2\xc0\xc1\xc2\xc3\xc4\xca\xcb\xcc\xcd\xce\xcf\xd0"
    "\xd1\xd2\xd3\xd9\xda\xdc\xde\xe0\xff"sv;

constexpr std::string_view kJsonWords[] = {"null", "true", "false"};

std::vector<std::string_view> split(std::string_view forms) {
  std::vector<std::string_view> parts;
  while (!forms.empty()) {
    // A '|' within a quoted format is part of it.
    std::size_t end = 0;
    bool quoted = false;
    while (end < forms.size() && (quoted || forms[end] != '|')) {
      if (forms[end] == '\'' && (end == 0 || forms[end - 1] != '\\')) quoted = !quoted;
      ++end;
    }
    parts.push_back(forms.substr(0, end));
    forms.remove_prefix(std::min(end + 1, forms.size()));
  }
  return parts;
}

struct Forms {
  std::vector<std::string_view> ends;
  std::vector<std::string_view> all;
};

const Forms& forms_of(std::string_view kind) {
  static const std::vector<Forms> kForms = [] {
    std::vector<Forms> made;
    for (const Kind& known : kKinds) {
      Forms forms{.ends = split(known.ends), .all = split(known.forms)};
      if (forms.all.empty()) forms.all = forms.ends;
      made.push_back(std::move(forms));
    }
    return made;
  }();
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [kind](const Kind& known) { return known.name == kind; });
  check(found != std::end(kKinds), "every kind of expression is known");
  return kForms[static_cast<std::size_t>(found - std::begin(kKinds))];
}

// As a Lua string, with escapes where they are needed.
std::string quoted_for_lua(std::string_view bytes) {
  std::string text = "'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= ' ' && c <= '~' && c != '\'' && c != '\\') {
      text += c;
    } else {
      const std::string digits = std::to_string(byte);
      text += "\\" + std::string(3 - digits.size(), '0') + digits;
    }
  }
  return text + "'";
}

}  // namespace

std::string ScriptGrammar::script() {
  std::string made;
  if (random_.below(25) == 0) made = kShebangs[random_.below(std::size(kShebangs))];
  // Errors tell their line.
  made.append(random_.below(3) == 0 ? random_.below(3) : 0, '\n');
  std::string body = expand(kStatements[random_.below(std::size(kStatements))], 0);
  if (body.find("show(") != std::string::npos) {
    made +=
        "local function show_key(k) return type(k) == 'number' and string.format('%.17g', k) or "
        "type(k) == 'string' and k or tostring(k) end ";
    made += kShow;
  }
  return made + body;
}

// Each @kind becomes an expression of its own.
std::string ScriptGrammar::expand(std::string_view form, int depth) {
  std::string made;
  while (!form.empty()) {
    const std::size_t at = std::min(form.find('@'), form.size());
    made += form.substr(0, at);
    form.remove_prefix(at);
    if (form.size() < 2) break;
    made += any_of_kind(form.substr(1, 1), depth);
    form.remove_prefix(2);
  }
  return made;
}

std::string ScriptGrammar::any_of_kind(std::string_view kind, int depth) {
  if (kind == "r") return number();
  if (kind == "j") {
    const bool listed = random_.below(2) == 0;
    return quoted_for_lua(listed ? std::string{kJson[random_.below(std::size(kJson))]} : json(0));
  }
  if (kind == "m") {
    const bool any = random_.below(3) == 0;
    return quoted_for_lua(any ? any_bytes(24) : bytes(kPacked, 24));
  }
  const Forms& forms = forms_of(kind);
  const bool ends = depth >= kDeepest || random_.below(3) == 0;
  const auto& choices = ends ? forms.ends : forms.all;
  const std::string made = expand(choices[random_.below(choices.size())], depth + 1);
  // What stands within an operation must be one operand; one value of several.
  return ends && kind != "n" ? made : made.front() == '{' ? made : "(" + made + ")";
}

// A literal: any double, or one near to where integers of some width end.
std::string ScriptGrammar::number() {
  const std::uint64_t some = random_.next();
  switch (random_.below(5)) {
    case 0: {
      const auto any = std::bit_cast<double>(some);
      return std::isfinite(any) ? fmt::format("{:.17g}", any) : "0";
    }
    case 1: {
      const double edge = std::ldexp(1.0, static_cast<int>(some % 66));
      const double beside = static_cast<double>(random_.below(5)) - 2;
      return fmt::format("{:.17g}", (random_.below(2) == 0 ? edge : -edge) + beside);
    }
    case 2:
      return fmt::format("{}", static_cast<std::int64_t>(some % 100'000) - 50'000);
    case 3:
      return fmt::format("{:.17g}", static_cast<double>(some % 2'000'000) / 1000 - 1000);
    default:
      return fmt::format("{}e{}", some % 1'000'000, static_cast<int>(random_.below(40)) - 20);
  }
}

// Well formed but for what its strings and numbers may be.
std::string ScriptGrammar::json(int depth) {
  constexpr std::size_t kMost = 4;
  std::string inner;
  switch (random_.below(depth < kDeepest ? 6 : 4)) {
    case 0:
      return number();
    case 1:
      return bytes("0123456789.eE+-", 24);
    case 2:
      return '"' + (random_.below(2) == 0 ? any_bytes(8) : bytes("\\u0089abDFdnrt/\"", 12)) + '"';
    case 3:
      return std::string{kJsonWords[random_.below(std::size(kJsonWords))]};
    case 4:
      for (std::size_t i = random_.below(kMost + 1); i > 0; --i) {
        inner += json(depth + 1) + (i > 1 ? "," : "");
      }
      return "[" + inner + "]";
    default:
      for (std::size_t i = random_.below(kMost + 1); i > 0; --i) {
        inner += '"' + bytes("ab1", 2) + "\": ";
        inner += json(depth + 1) + (i > 1 ? "," : "");
      }
      return "{" + inner + "}";
  }
}

std::string ScriptGrammar::any_bytes(std::size_t most) {
  std::string made(random_.below(most + 1), '\0');
  for (char& c : made) c = static_cast<char>(random_.below(256));
  return made;
}

std::string ScriptGrammar::bytes(std::string_view of, std::size_t most) {
  std::string made(random_.below(most + 1), '\0');
  for (char& c : made) c = of[random_.below(of.size())];
  return made;
}

}  // namespace fencepost::compat
