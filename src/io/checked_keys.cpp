// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/key/checked_keys.hpp>

#include <algorithm>

namespace zkgpu::io {

bool CheckedKeys::contains(const Digest& digest) const noexcept {
  return std::find(digests_.begin(), digests_.end(), digest) != digests_.end();
}

void CheckedKeys::insert(const Digest& digest) {
  if (contains(digest)) return;
  if (digests_.size() == max_keys) digests_.erase(digests_.begin());
  digests_.push_back(digest);
}

CheckedKeys CheckedKeys::parse(std::span<const std::byte> text, const std::string& name) {
  std::string_view rest(reinterpret_cast<const char*>(text.data()), text.size());
  const auto fail = [&](const std::string& what) {
    throw Malformed({name, "list of checked keys", text.size() - rest.size()}, what);
  };
  if (!rest.starts_with(header)) fail("unknown first line");
  rest.remove_prefix(header.size());
  if (rest.size() / line_bytes > max_keys) fail("too many lines");
  CheckedKeys keys;
  while (!rest.empty()) {
    Digest digest;
    if (rest.size() < line_bytes || rest[line_bytes - 1] != '\n' ||
        !parse_hex(rest.substr(0, line_bytes - 1), digest)) {
      fail("a line is not 64 hexadecimal digits");
    }
    keys.insert(digest);
    rest.remove_prefix(line_bytes);
  }
  return keys;
}

std::string CheckedKeys::format() const {
  std::string text(header);
  for (const Digest& digest : digests_) text += to_hex(digest) + "\n";
  return text;
}

}  // namespace zkgpu::io
