// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/groth16/assemble.hpp>
#include <zkgpu/prover/groth16/stages/prepared_key.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/prover.hpp>

namespace zkgpu {

namespace detail {

struct NoHostRows {};

/// What stages hand on of rows that the host makes; nothing where the host is the device.
template <class Stages>
auto host_rows_of() {
  if constexpr (requires { typename Stages::HostRows; }) {
    return std::type_identity<typename Stages::HostRows>{};
  } else {
    return std::type_identity<NoHostRows>{};
  }
}

/// One proof on its way: what its stages hand to each other. Wiped when it dies.
template <Curve C, class Stages>
struct ProofJob {
  using F = typename C::Fr;
  using HostRows = typename decltype(host_rows_of<Stages>())::type;

  WitnessSource<F>* source = nullptr;
  std::span<const typename F::Integer> z;
  typename Stages::Witness witness;
  HostRows host_rows;
  typename Stages::Evaluated evaluations;
  typename Stages::Quotients h;
  QuerySums<C> sums{};
  Proof<C> proof{};

  ProofJob() = default;
  ProofJob(const ProofJob&) = delete;
  ProofJob& operator=(const ProofJob&) = delete;
  ~ProofJob() { clear(); }  // the source may be gone

  /// Gives back what is on the device.
  void leave_device() noexcept {
    witness = {};
    evaluations = {};
    h = {};
  }
  /// Nothing of the proof is needed any more, but the proof.
  void end() noexcept {
    clear();
    if (source != nullptr) std::exchange(source, nullptr)->done();
  }

 private:
  void clear() noexcept {
    leave_device();
    host_rows = {};
    z = {};
    secure_wipe(sums);  // they give the witness away
  }
};

/// What a proof's graph depends on: the key's sizes, and the memory of this backend's stages.
template <Curve C>
pipeline::CircuitShape shape_of(const PreparedProvingKey<C>& prepared, const StageBytes& bytes,
                                bool given_blinding) {
  const ProvingKey<C>& key = prepared.key;
  return {.domain_size = key.domain_size(),
          .entries = prepared.rows.entries(),
          .num_wires = key.num_wires,
          .num_auxiliary = key.num_auxiliary(),
          .a_points = key.a.size(),
          .b_g1_points = given_blinding ? key.b_g1.size() : 0,
          .b_g2_points = key.b_g2.size(),
          .h_points = key.h.size(),
          .filtered = prepared.density.has_value(),
          .field_bytes = sizeof(typename C::Fr),
          .witness_bytes = bytes.witness,
          .upload_workspace = bytes.upload,
          .quotient_workspace = bytes.quotient,
          .h_workspace = bytes.h,
          .l_workspace = bytes.l,
          .a_workspace = bytes.a,
          .b_g1_workspace = bytes.b_g1,
          .b_g2_workspace = bytes.b_g2};
}

}  // namespace detail

}  // namespace zkgpu
