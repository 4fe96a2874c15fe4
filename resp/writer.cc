// Replies as bytes, in either protocol: every type a server answers with.
#include "resp/writer.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/check.h"
#include "base/number.h"

namespace fencepost::resp {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

// A type character, a whole number and the line's end, put together outside the buffer and appended
// in one step.
class NumberLine {
 public:
  template <typename Number>
  NumberLine(char type, Number value) {
    text_[0] = type;
    if (value >= 0 && value < 10) {  // most headers: no division, no loop
      text_[1] = static_cast<char>('0' + value);
      end_ = text_ + 2;
    } else {
      end_ = std::to_chars(text_ + 1, std::end(text_), value).ptr;
    }
    *end_++ = '\r';
    *end_++ = '\n';
  }

  std::string_view view() const { return {text_, static_cast<std::size_t>(end_ - text_)}; }

 private:
  char text_[24];  // type, sign, 19 or 20 digits, CR, LF
  char* end_;
};

bool ends_line(char c) {
  return c == '\r' || c == '\n';
}

// Appends `text` as one line: CR and LF become spaces.
void append_line(std::string& out, char type, std::string_view text) {
  out.push_back(type);
  const std::size_t begin = out.size();
  out.append(text);
  if (std::any_of(text.begin(), text.end(), ends_line))
    std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), ends_line, ' ');
  out.append(kLineEnd);
}

}  // namespace

void ReplyWriter::simple(std::string_view text) {
  if (was_cut_) return;
  append_line(out_, '+', text);
}

void ReplyWriter::error(std::string_view text) {
  append_line(out_, '-', text);
}

void ReplyWriter::integer(std::int64_t value) {
  out_.append(NumberLine{':', value}.view());
}

void ReplyWriter::bulk(std::string_view bytes) {
  if (!has_room()) return;
  out_.append(NumberLine{'$', bytes.size()}.view());
  out_.append(bytes);
  out_.append(kLineEnd);
}

void ReplyWriter::null() {
  out_.append(protocol_ == Protocol::resp3 ? "_\r\n" : "$-1\r\n");
}

void ReplyWriter::null_array() {
  out_.append(protocol_ == Protocol::resp3 ? "_\r\n" : "*-1\r\n");
}

void ReplyWriter::array(std::size_t count) {
  header('*', count);
}

void ReplyWriter::map(std::size_t pairs) {
  if (protocol_ == Protocol::resp3)
    header('%', pairs);
  else
    header('*', 2 * pairs);
}

void ReplyWriter::set(std::size_t count) {
  header(protocol_ == Protocol::resp3 ? '~' : '*', count);
}

void ReplyWriter::push(std::size_t count) {
  header(protocol_ == Protocol::resp3 ? '>' : '*', count);
}

void ReplyWriter::boolean(bool value) {
  if (protocol_ == Protocol::resp3)
    out_.append(value ? "#t\r\n" : "#f\r\n");
  else
    out_.append(value ? ":1\r\n" : ":0\r\n");
}

void ReplyWriter::real(double value) {
  char digits[32];
  const std::string_view text = print_double(value, digits);
  if (protocol_ == Protocol::resp3)
    append_line(out_, ',', text);
  else
    bulk(text);
}

void ReplyWriter::big_number(std::string_view digits) {
  if (protocol_ == Protocol::resp3)
    append_line(out_, '(', digits);
  else
    bulk(digits);
}

void ReplyWriter::verbatim(std::string_view format, std::string_view text) {
  if (protocol_ == Protocol::resp2) return bulk(text);
  check(format.size() == 3, "the format of a verbatim string has three letters");
  if (!has_room()) return;
  out_.append(NumberLine{'=', format.size() + 1 + text.size()}.view());
  out_.append(format);
  out_.push_back(':');
  out_.append(text);
  out_.append(kLineEnd);
}

void ReplyWriter::close_array(std::size_t opened_at, std::size_t count) {
  close(opened_at, '*', count);
}

void ReplyWriter::close_map(std::size_t opened_at, std::size_t pairs) {
  if (protocol_ == Protocol::resp3)
    close(opened_at, '%', pairs);
  else
    close(opened_at, '*', 2 * pairs);
}

void ReplyWriter::close_set(std::size_t opened_at, std::size_t count) {
  close(opened_at, protocol_ == Protocol::resp3 ? '~' : '*', count);
}

void ReplyWriter::header(char type, std::size_t count) {
  if (has_room()) out_.append(NumberLine{type, count}.view());
}

// The header is set in front of what was written since: one move of those bytes.
void ReplyWriter::close(std::size_t opened_at, char type, std::size_t count) {
  check(opened_at <= out_.size(), "an aggregate closes behind its opening");
  out_.insert(opened_at, NumberLine{type, count}.view());
}

}  // namespace fencepost::resp
