// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/c1/json_scanner.hpp"

#include <limits>

#include <zkgpu/prover/io/json/json_value.hpp>

namespace zkgpu::porep::c1 {

namespace {
constexpr bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_digit(int c) { return c >= '0' && c <= '9'; }

std::string in_quotes(char c) { return std::string("'") + c + "'"; }
}  // namespace

void JsonScanner::skip_blanks() {
  while (is_blank(bytes_.peek())) bytes_.skip();
}

void JsonScanner::open(char opening, std::string_view what) {
  skip_blanks();
  if (bytes_.peek() == ByteStream::end) fail("ends where " + std::string(what) + " is expected");
  if (bytes_.peek() != opening) fail("not " + std::string(what));
  bytes_.skip();
}

bool JsonScanner::closes(char closing) {
  skip_blanks();
  if (bytes_.peek() != closing) return false;
  bytes_.skip();
  return true;
}

bool JsonScanner::goes_on(char closing) {
  skip_blanks();
  const int c = bytes_.peek();
  if (c != ',' && c != closing) {
    fail((c == ByteStream::end ? "ends where ',' or " : "neither ',' nor ") + in_quotes(closing) +
         (c == ByteStream::end ? " is expected" : ""));
  }
  bytes_.skip();
  return c == ',';
}

void JsonScanner::expect(char c, std::string_view what) {
  skip_blanks();
  if (bytes_.peek() != c) fail("no " + std::string(what));
  bytes_.skip();
}

std::size_t JsonScanner::name(std::span<const Field> fields, std::uint32_t& seen) {
  const std::uint64_t offset = this->offset();
  const std::string text = string("a name");
  expect(':', "colon behind a name");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name != text) continue;
    const std::uint32_t bit = std::uint32_t{1} << i;
    if ((seen & bit) != 0) place_.fail(offset, io::printable(text) + " is there twice");
    seen |= bit;
    return i;
  }
  place_.fail(offset, "unknown name " + io::printable(text) +
                          (fields.size() == 1
                               ? ", where " + io::printable(fields.front().name) + " is expected"
                               : ""));
}

void JsonScanner::expect_all(std::span<const Field> fields, std::uint32_t seen) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if ((seen >> i & 1) == 0 && !fields[i].of_json) {
      fail(io::printable(fields[i].name) + " is missing");
    }
  }
}

void JsonScanner::null() {
  skip_blanks();
  for (const char c : std::string_view("null")) {
    if (bytes_.peek() != c) fail("not null");
    bytes_.skip();
  }
}

std::uint64_t JsonScanner::integer64(std::uint64_t most) {
  const std::uint64_t offset = this->offset();
  const int first = bytes_.peek();
  if (!is_digit(first)) place_.fail(offset, "not a whole number without sign");
  bytes_.skip();
  auto value = static_cast<std::uint64_t>(first - '0');
  while (is_digit(bytes_.peek())) {
    if (value == 0) place_.fail(offset, "a number with a leading zero");
    const auto digit = static_cast<std::uint64_t>(bytes_.peek() - '0');
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    if (value > (largest - digit) / 10) place_.fail(offset, "a number beyond 64 bits");
    value = 10 * value + digit;
    bytes_.skip();
  }
  const int next = bytes_.peek();
  if (next == '.' || next == 'e' || next == 'E') place_.fail(offset, "not a whole number");
  if (value > most) {
    place_.fail(offset, std::to_string(value) + " is above " + std::to_string(most));
  }
  return value;
}

Node JsonScanner::bytes32() {
  Node node{};
  array(node.size(), node.size(), "bytes",
        [&](std::size_t i) { node[i] = static_cast<std::byte>(integer64(255)); });
  return node;
}

std::string JsonScanner::string(std::string_view what) {
  open('"', what);
  std::string text;
  while (bytes_.peek() != '"') {
    const int c = bytes_.peek();
    if (c == ByteStream::end) fail("ends inside of " + std::string(what));
    if (c == '\\' || c < ' ' || c > '~') fail("an escape or no ASCII in " + std::string(what));
    if (text.size() == longest_string) fail("a text too long for " + std::string(what));
    text += static_cast<char>(c);
    bytes_.skip();
  }
  bytes_.skip();
  return text;
}

void JsonScanner::expect_end() {
  skip_blanks();
  if (bytes_.peek() != ByteStream::end) fail("more behind the end of the value");
}

void JsonScanner::fail_count(std::size_t count, std::size_t few, std::size_t many,
                             std::string_view what) const {
  const std::string expected =
      few == many ? std::to_string(many) : std::to_string(few) + " or " + std::to_string(many);
  fail((count > many ? "more than " : std::to_string(count) + " of ") + expected + " " +
       std::string(what));
}

}  // namespace zkgpu::porep::c1
