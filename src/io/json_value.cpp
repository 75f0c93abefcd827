// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/json/json_value.hpp>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace zkgpu::io {

namespace {

/// A pointer that tells how far the parser has come.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** progress) : at_(at), progress_(progress) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *progress_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  const char** progress_;
};

/// Builds the tree from the parser's events, and refuses what our files never hold.
class TreeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  TreeBuilder(const std::string& file, const char* begin)
      : progress(begin), file_(file), begin_(begin) {}

  const char* progress;  // the parser's next byte

  bool null() { return add(make(JsonKind::null)); }
  bool boolean(bool) { return add(make(JsonKind::boolean)); }
  bool number_unsigned(number_unsigned_t value) {
    return add(make(JsonKind::number, std::to_string(value)));
  }
  /// Only for tokens with a minus sign.
  bool number_integer(number_integer_t) { fail("a negative number"); }
  /// Integers beyond 64 bits come here too, with their text.
  bool number_float(number_float_t, const string_t& text) {
    if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      fail("a number that is not a non-negative integer");
    }
    return add(make(JsonKind::number, text));
  }
  bool string(string_t& text) { return add(make(JsonKind::string, std::move(text))); }
  bool binary(binary_t&) { fail("not JSON"); }
  bool start_object(std::size_t) { return open(JsonKind::object); }
  bool start_array(std::size_t) { return open(JsonKind::array); }
  bool key(string_t& text) {
    open_.back().keys.push_back(std::move(text));
    return true;
  }
  bool end_object() {
    std::vector<std::string_view> sorted(open_.back().keys.begin(), open_.back().keys.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) fail("key " + printable(*twice) + " occurs twice in one object");
    return close();
  }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    fail("not valid JSON here");
  }

  JsonValue root;

 private:
  [[nodiscard]] std::uint64_t offset() const {
    return static_cast<std::uint64_t>(progress - begin_);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Malformed({file_, "JSON", offset()}, what);
  }
  JsonValue make(JsonKind kind, std::string text = {}) {
    if (++values_ > max_json_values) {
      fail("more than " + std::to_string(max_json_values) + " values");
    }
    JsonValue value;
    value.kind = kind;
    value.offset = offset();
    value.text = std::move(text);
    return value;
  }
  bool open(JsonKind kind) {
    if (open_.size() == max_json_depth) {
      fail("nested deeper than " + std::to_string(max_json_depth) + " levels");
    }
    open_.push_back(make(kind));
    return true;
  }
  bool close() {
    JsonValue done = std::move(open_.back());
    open_.pop_back();
    return add(std::move(done));
  }
  bool add(JsonValue value) {
    if (open_.empty()) {
      root = std::move(value);
    } else {
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  const std::string& file_;
  const char* begin_;
  std::vector<JsonValue> open_;  // from the root to the innermost open array or object
  std::size_t values_ = 0;
};

/// A key without blanks around it: what somebody may have meant.
std::string_view bare_name(std::string_view key) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = key.find_first_not_of(blanks);
  if (first == key.npos) return {};
  return key.substr(first, key.find_last_not_of(blanks) - first + 1);
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const noexcept {
  const auto at = std::find(keys.begin(), keys.end(), key);
  return at == keys.end() ? nullptr : &items[static_cast<std::size_t>(at - keys.begin())];
}

JsonValue parse_json(std::span<const std::byte> text, const std::string& file) {
  if (text.size() > max_json_bytes) throw Malformed({file, "JSON", max_json_bytes}, "too large");
  const auto* begin = reinterpret_cast<const char*>(text.data());
  const std::string_view view(begin, text.size());
  if (view.empty()) throw Malformed({file, "JSON", 0}, "the file is empty");
  if (view.starts_with("\xEF\xBB\xBF")) {
    throw Malformed({file, "JSON", 0}, "starts with a byte order mark");
  }
  if (const std::size_t nul = view.find('\0'); nul != view.npos) {  // the lexer would end there
    throw Malformed({file, "JSON", nul}, "a zero byte");
  }
  TreeBuilder builder(file, begin);
  nlohmann::json::sax_parse(CountingIterator(begin, &builder.progress),
                            CountingIterator(begin + text.size(), &builder.progress), &builder);
  return std::move(builder.root);
}

void JsonReader::fail(const std::string& what) const {
  throw Malformed({*file_, path_, value_->offset}, what);
}

void JsonReader::expect_keys(std::span<const std::string_view> keys,
                             std::size_t optional_from) const {
  if (value_->kind != JsonKind::object) fail("not an object");
  for (std::size_t i = 0; i < value_->keys.size(); ++i) {
    const std::string& key = value_->keys[i];
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const auto meant = std::find(keys.begin(), keys.end(), bare_name(key));
    const JsonReader at(value_->items[i], *file_, path_);
    at.fail("unknown key " + printable(key) +
            (meant != keys.end() ? ", instead of " + printable(*meant) : std::string()));
  }
  for (std::size_t i = 0; i < optional_from; ++i) {
    if (!has(keys[i])) fail("key " + printable(keys[i]) + " is missing");
  }
}

JsonReader JsonReader::at(std::string_view key) const {
  const JsonValue* found = value_->find(key);
  if (found == nullptr) fail("key " + printable(key) + " is missing");
  return {*found, *file_, path_.empty() ? std::string(key) : path_ + "." + std::string(key)};
}

std::size_t JsonReader::array_size() const {
  if (value_->kind != JsonKind::array) fail("not an array");
  return value_->items.size();
}

void JsonReader::expect_array(std::size_t length) const {
  if (array_size() != length) {
    fail("an array of " + std::to_string(array_size()) + " values, expected " +
         std::to_string(length));
  }
}

JsonReader JsonReader::at(std::size_t index) const {
  return {value_->items[index], *file_, path_ + "[" + std::to_string(index) + "]"};
}

const std::string& JsonReader::string() const {
  if (value_->kind != JsonKind::string) fail("not a string");
  return value_->text;
}

const std::string& JsonReader::digits() const {
  if (value_->kind != JsonKind::string && value_->kind != JsonKind::number) {
    fail("not a decimal number");
  }
  return value_->text;
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out = "'";
  for (const char c : text.substr(0, longest)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > longest ? "...'" : "'");
}

}  // namespace zkgpu::io
