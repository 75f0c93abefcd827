// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>
#include <vector>

namespace zkgpu::cli {

/// The command line with the verb of snarkjs at its start, if there is one, replaced by ours:
/// `groth16 prove K W P U` becomes `prove K W P U`. Pure.
[[nodiscard]] std::vector<std::string> replace_alias(std::vector<std::string> arguments);

}  // namespace zkgpu::cli
