// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <zkgpu/prover/pipeline/flow/proof_tag.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// What goes to the device as one: a batch's proofs are uploaded when all its witnesses are made.
namespace unit {

/// The partitions of a job together. Phases 0 to 5.
struct whole_proof {
  static constexpr bool is_job = true;
};

/// Each by itself: less memory, sooner begun. Phase 6 on.
struct partition {
  static constexpr bool is_job = false;
};

}  // namespace unit

/// What is run together, and what is in flight together.
namespace batching {

/// A unit at a time; limits.jobs_in_flight jobs are begun and not ended.
struct none {
  static std::size_t jobs_in_flight(const PipelineLimits& limits) noexcept {
    return std::max<std::size_t>(1, limits.jobs_in_flight);
  }
  static std::size_t jobs_together(const PipelineLimits&) noexcept { return 1; }
};

/// limits.batch_jobs jobs of one circuit are one batch, and count as one job: the device's calls
/// are fewer, latency and memory pay. Phase 3.
struct sector_batch {
  static std::size_t jobs_in_flight(const PipelineLimits& limits) noexcept {
    return std::max<std::size_t>(1, limits.jobs_in_flight);
  }
  static std::size_t jobs_together(const PipelineLimits& limits) noexcept {
    return std::max<std::size_t>(1, limits.batch_jobs);
  }
};

/// Units of all jobs share every line: nobody waits for a job to end. Phase 7 on.
struct continuous {
  static std::size_t jobs_in_flight(const PipelineLimits&) noexcept {
    return std::numeric_limits<std::size_t>::max();
  }
  static std::size_t jobs_together(const PipelineLimits&) noexcept { return 1; }
};

}  // namespace batching

namespace detail {

/// Neighbours of one job, or of so many jobs, in batches of at most `most` proofs.
inline std::vector<ProofBatch> batches_of(std::span<const ProofTag> tags, bool of_jobs,
                                          std::size_t jobs_together, std::size_t most) {
  std::vector<ProofBatch> made;
  std::size_t jobs = 0;  // in the last batch
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const bool same_job = i != 0 && tags[i].job == tags[i - 1].job;
    if (of_jobs && !made.empty() && made.back().count < most &&
        (same_job || jobs < jobs_together)) {
      ++made.back().count;
      jobs += same_job ? 0 : 1;
      continue;
    }
    made.push_back({i, 1});
    jobs = 1;
  }
  return made;
}

}  // namespace detail
}  // namespace zkgpu::pipeline
