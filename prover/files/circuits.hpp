// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>

#include "files/keys.hpp"

namespace zkgpu::cli {

/// Constraints from a `.r1cs` file. @throws Malformed, IoError, ResourceExhausted
io::R1csFile<Curve::Fr> load_r1cs(Session& session, const std::string& path);

/// A witness from a `.wtns` file. @throws Malformed, IoError, ResourceExhausted
Witness<Curve::Fr> load_witness(Session& session, const std::string& path);

}  // namespace zkgpu::cli
