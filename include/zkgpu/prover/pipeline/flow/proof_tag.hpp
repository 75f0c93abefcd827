// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <optional>

#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/pipeline/lock_model/lease.hpp>

namespace zkgpu::pipeline {

/// What is known of a proof before it begins: whose it is, and how urgent.
struct ProofTag {
  std::size_t number = 0;     ///< in the order of the requests
  std::size_t job = 0;        ///< proofs of one job stand beside each other in the requests
  std::size_t partition = 0;  ///< of its job
  Priority priority = Priority::normal;
  std::optional<SteadyTime> deadline{};  ///< a wish: passing it ends nothing
};

/// Proofs [first, first + count) of the requests, planned and run together.
struct ProofBatch {
  std::size_t first = 0;
  std::size_t count = 0;
  friend bool operator==(const ProofBatch&, const ProofBatch&) = default;
};

}  // namespace zkgpu::pipeline
