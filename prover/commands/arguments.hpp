// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "session/command_env.hpp"

namespace zkgpu::cli {

/// What an argument may be; `|` joins several.
enum class Content : std::uint8_t {
  none = 0,
  proving_key = 1,
  verifying_key = 2,
  any_key = proving_key | verifying_key,
  constraints = 4,
  witness = 8,
  public_values = 16,
  proof = 32,
};

/// An input of a command: its name in the usage, the file given for it, what that may be.
struct InputArgument {
  std::string_view name;
  const std::string& path;
  Content wanted = Content::none;
};

/// Looks at the first bytes of a command's inputs before its work: arguments in the wrong order are
/// told as such, with the right one. Files that look like nothing are left to their readers.
/// @param usage  "zkgpu verify VK PUBLIC PROOF"
/// @throws InvalidArgument naming every file of a wrong kind and what it looks like; IoError
void expect_kinds(CommandEnv& env, std::span<const InputArgument> inputs, std::string_view usage);

/// A number that a file has: `{"w.wtns", 5, "values"}`.
struct FileCount {
  const std::string& path;
  std::size_t count = 0;
  std::string_view what;
};

/// @throws InvalidArgument naming both files, if the counts differ
void expect_same_count(const FileCount& a, const FileCount& b);

}  // namespace zkgpu::cli
