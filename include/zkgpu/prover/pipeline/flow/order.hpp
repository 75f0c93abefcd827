// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <limits>

#include <zkgpu/prover/pipeline/flow/proof_tag.hpp>

/// Who comes first wherever proofs stand in a line. Priority is the first number of every rank.
namespace zkgpu::pipeline::order {

/// Whoever comes to the line first.
struct fifo {
  static Rank rank(const ProofTag& tag) noexcept { return Rank::of(tag.priority); }
};

/// The earlier request, in every line, whenever it came to it.
struct priority {
  static Rank rank(const ProofTag& tag) noexcept { return Rank::of(tag.priority, tag.number); }
};

/// The oldest job, of it the lowest partition: jobs end one after another instead of all late.
struct oldest_first {
  static Rank rank(const ProofTag& tag) noexcept {
    return Rank::of(tag.priority, tag.job, tag.partition);
  }
};

/// The earliest deadline; who has none comes last.
struct deadline {
  static Rank rank(const ProofTag& tag) noexcept {
    std::uint64_t when = std::numeric_limits<std::uint64_t>::max();
    if (tag.deadline) {  // order is all that counts: the sign's bit moves the past below the future
      const auto ticks = static_cast<std::int64_t>(tag.deadline->time_since_epoch().count());
      when = static_cast<std::uint64_t>(ticks) ^ (std::uint64_t{1} << 63);
    }
    return Rank::of(tag.priority, when, tag.number);
  }
};

}  // namespace zkgpu::pipeline::order
