// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/prover/groth16/stages/key_use.hpp>
#include <zkgpu/prover/pipeline/memory/plan.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>
#include <zkgpu/prover/pipeline/staging/fits.hpp>

namespace zkgpu {

/// What a policy decides about stages and their memory, as values: engines of one backend are
/// compiled once for all policies.
struct EnginePolicy {
  pipeline::GraphPlaces places;
  UploadWay upload = UploadWay::pinned_ring;
  KeyPlace key = KeyPlace::resident_device;
  bool one_wait = false;        ///< of the host for the device, in a proof
  std::size_t key_sharers = 1;  ///< proofs that a query's points are brought for, where they are
  bool spreads_witness = true;  ///< over the threads of the pool, while it is made
  pipeline::Schedule (*plan)(const pipeline::ProofGraph&, std::size_t,
                             pipeline::PipelineLimits) = nullptr;
  std::size_t (*places_on_device)(const pipeline::PipelineLimits&, std::size_t) = nullptr;
  pipeline::MemoryNeeds memory;

  /// On the CPU everything is in one place.
  template <Backend B, pipeline::PipelinePolicy P>
  static constexpr EnginePolicy of() {
    static_assert(pipeline::parts_fit<P>());
    pipeline::GraphPlaces places;
    if (DeviceBackend<B>) places = P::Staging::places;
    if (!P::Memory::early_release) places.keeps_rows = true;
    return {.places = places,
            .upload = upload_of<typename P::Staging>(),
            .key = P::Memory::key,
            .one_wait = DeviceBackend<B> && one_wait_of<typename P::Staging>(),
            .key_sharers = key_sharers_of<typename P::Staging>(),
            .spreads_witness = P::Flow::spreads_witness,
            .plan = &pipeline::plan_of<P>,
            .places_on_device = &P::LockModel::places,
            .memory = pipeline::MemoryNeeds::of<typename P::Memory>()};
  }

 private:
  /// A staging that does not say how is content with the way that is always right.
  template <class S>
  static constexpr UploadWay upload_of() {
    if constexpr (requires { S::upload; }) return S::upload;
    return UploadWay::pinned_ring;
  }
  template <class S>
  static constexpr bool one_wait_of() {
    if constexpr (requires { S::one_wait; }) return S::one_wait;
    return false;
  }
  template <class S>
  static constexpr std::size_t key_sharers_of() {
    if constexpr (requires { S::key_sharers; }) return S::key_sharers;
    return 1;
  }
};

}  // namespace zkgpu
