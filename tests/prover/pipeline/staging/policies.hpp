// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/pipeline/presets.hpp>

namespace zkgpu::test {

/// Waits once a proof.
template <class Synthesis = pipeline::synthesis::matrix_device,
          class G2Tail = pipeline::g2_tail::device, class Locks = pipeline::reservation>
struct waiting_once : pipeline::datacenter {
  using LockModel = Locks;
  using Staging = pipeline::staging<Synthesis, pipeline::upload::registered, G2Tail,
                                    pipeline::sync::graph, pipeline::key_stream::per_circuit>;
};

/// The key is brought to the device; stages of proofs take turns in one thread.
template <class KeyStream, class Key = pipeline::resident_host, class Pools = pipeline::inline_pool,
          class Sync = pipeline::sync::eager>
struct bringing : pipeline::datacenter {
  using ThreadPools = Pools;
  using Staging =
      pipeline::staging<pipeline::synthesis::matrix_device, pipeline::upload::registered,
                        pipeline::g2_tail::device, Sync, KeyStream>;
  using Memory = pipeline::memory<Key, pipeline::cached, pipeline::recycle, true>;
};

}  // namespace zkgpu::test
