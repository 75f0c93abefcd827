// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "cli/aliases.hpp"

#include <algorithm>
#include <cstddef>

namespace zkgpu::cli {

namespace {

struct Alias {
  std::vector<std::string> theirs, ours;
};

const std::vector<Alias>& aliases() {
  static const std::vector<Alias> table = {
      {{"groth16", "prove"}, {"prove"}},
      {{"g16p"}, {"prove"}},
      {{"groth16", "verify"}, {"verify"}},
      {{"g16v"}, {"verify"}},
      {{"wtns", "check"}, {"check"}},
      {{"wchk"}, {"check"}},
      {{"r1cs", "info"}, {"info"}},
      {{"ri"}, {"info"}},
      {{"file", "info"}, {"info"}},
      {{"zkey", "export", "verificationkey"}, {"export", "vk"}},
      {{"zkev"}, {"export", "vk"}},
  };
  return table;
}

}  // namespace

std::vector<std::string> replace_alias(std::vector<std::string> arguments) {
  for (const Alias& alias : aliases()) {
    const std::size_t length = alias.theirs.size();
    if (arguments.size() < length ||
        !std::equal(alias.theirs.begin(), alias.theirs.end(), arguments.begin())) {
      continue;
    }
    const auto rest =
        arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(length));
    arguments.insert(rest, alias.ours.begin(), alias.ours.end());
    break;
  }
  return arguments;
}

}  // namespace zkgpu::cli
