// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/pipeline/flow/proof_tag.hpp>

namespace example {

/// A value of the flow's order that the library does not have: jobs take turns, so that a small job
/// which comes behind a large one does not wait for all of it.
struct in_turns {
  static zkgpu::pipeline::Rank rank(const zkgpu::pipeline::ProofTag& tag) noexcept {
    return zkgpu::pipeline::Rank::of(tag.priority, tag.partition, tag.job);
  }
};

}  // namespace example
