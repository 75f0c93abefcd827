// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/prover/pipeline/flow/admission.hpp>
#include <zkgpu/prover/pipeline/flow/batching.hpp>
#include <zkgpu/prover/pipeline/flow/order.hpp>
#include <zkgpu/prover/pipeline/flow/throttle.hpp>

namespace zkgpu::pipeline {

/// Who may use the threads while a witness is made.
namespace grain {

/// A witness is made by one thread; others make others.
struct per_partition {
  static constexpr bool spreads = false;
};

/// A witness is made by as many threads as its source can use.
struct per_gadget {
  static constexpr bool spreads = true;
};

}  // namespace grain

/// Flow policy: order and amount of work in flight, put together from its values.
template <class Unit, class Order, class AdmissionModel, class Batching, class ThrottleModel,
          class Grain>
struct flow {
  static_assert(Unit::is_job || !std::same_as<Batching, batching::sector_batch>,
                "a batch of sectors goes to the device whole: take unit::whole_proof");

  using Admission = AdmissionModel;
  using Throttle = ThrottleModel;
  static constexpr bool spreads_witness = Grain::spreads;

  [[nodiscard]] static Rank rank(const ProofTag& tag) noexcept { return Order::rank(tag); }
  [[nodiscard]] static std::size_t jobs_in_flight(const PipelineLimits& limits) noexcept {
    return Batching::jobs_in_flight(limits);
  }
  [[nodiscard]] static std::vector<ProofBatch> batches(std::span<const ProofTag> tags,
                                                       const PipelineLimits& limits) {
    return detail::batches_of(tags, Unit::is_job, Batching::jobs_together(limits),
                              std::max<std::size_t>(1, limits.proofs_in_flight));
  }
};

/// Proofs in the order of the requests, limits.proofs_in_flight of them at a time.
using plain_flow = flow<unit::partition, order::fifo, admission::unbounded, batching::continuous,
                        throttle::none, grain::per_gadget>;

}  // namespace zkgpu::pipeline
