// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>

#include "session/command_env.hpp"

namespace zkgpu::cli {

/// Looks at a command's outputs before its work begins: each can be written (a file is made in its
/// folder, and removed), and none is an input, or another output, under any name.
/// @throws InvalidArgument for a clash, IoError naming the path
void expect_outputs(CommandEnv& env, std::span<const std::string> outputs,
                    std::span<const std::string> inputs);

/// Files that appear together or not at all: every one is complete and on disk before the first
/// gets its name, and no signal comes between the names.
class OutputGroup {
 public:
  using File = io::AtomicFile<CommandEnv>;

  explicit OutputGroup(CommandEnv& env) : env_(&env) {}

  /// A new file of the group, to be written. It lives as long as the group.
  /// @throws IoError naming `path`
  io::ByteSink& add(const std::string& path, unsigned mode = File::public_mode);

  /// Gives all files their names. @throws IoError, ResourceExhausted; then none is there
  void commit();

 private:
  CommandEnv* env_;
  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace zkgpu::cli
