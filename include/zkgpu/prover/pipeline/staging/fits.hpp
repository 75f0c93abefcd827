// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/groth16/stages/key_place.hpp>

namespace zkgpu::pipeline {

/// What the staging of a policy wants of its other parts: a policy that does not give it does not
/// compile. Values that a part does not have want nothing.
template <class P>
[[nodiscard]] consteval bool parts_fit() {
  if constexpr (requires { requires P::Staging::one_wait; }) {
    static_assert(P::Memory::key == KeyPlace::resident_device,
                  "sync::graph: points that come for a sum keep the host waiting: take "
                  "resident_device");
  }
  if constexpr (requires { requires(P::Staging::key_sharers > 1); }) {
    static_assert(P::Memory::key != KeyPlace::resident_device,
                  "key_stream::shared_by: a key that lives on the device is not streamed: take "
                  "key_stream::per_circuit");
    static_assert(P::Memory::key != KeyPlace::budgeted_lru,
                  "key_stream::shared_by: budgeted_lru keeps points for whoever comes: take "
                  "key_stream::per_circuit");
    if constexpr (requires { P::LockModel::most_places; }) {
      static_assert(P::LockModel::most_places > 1,
                    "key_stream::shared_by: one proof at a time has the device, and shares with "
                    "nobody: take device_lock or reservation");
    }
  }
  return true;
}

}  // namespace zkgpu::pipeline
