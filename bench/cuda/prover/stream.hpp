// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "../measure.hpp"

namespace zkgpu {
class Cuda;
}  // namespace zkgpu

namespace zkgpu::bench {

/// 40 proofs of a circuit of PoRep's density, made by named policies with the counts of their
/// history: seconds a proof, the making of witnesses included.
void stream_rows(const Cuda& cuda, Report& report, unsigned log_n);

}  // namespace zkgpu::bench
