// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

#include "files/keys.hpp"

namespace zkgpu::cli {

/// What a file is and what it says about itself; never a value of a witness.
struct Description {
  std::string kind;  ///< "a proving key (.zkey)"
  Json facts;        ///< scalars, objects of them, and arrays of objects of them
};

/// Reads a file of any kind as strictly as a command that uses it would. A key that is insecure is
/// described all the same, and said to be so.
/// @throws Malformed, IoError, ResourceExhausted
Description describe_file(Session& session, const std::string& path, const KeyOptions& options);

}  // namespace zkgpu::cli
