// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <functional>

#include "session/session.hpp"

namespace zkgpu::cli {

/// A command line, understood: what every command takes, and the one to run.
struct Invocation {
  CommonOptions common;
  std::function<int(Session&)> run;
};

/// Whether the arguments ask for JSON, also when they are wrong otherwise: the message about that
/// is then JSON, too.
[[nodiscard]] bool asks_for_json(int argc, const char* const* argv);

/// Parses the arguments. --help and --version are commands that print.
/// @throws InvalidArgument
[[nodiscard]] Invocation parse(int argc, const char* const* argv);

}  // namespace zkgpu::cli
