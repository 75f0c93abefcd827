// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/enqueued_proof_impl.hpp>
#include <zkgpu/prover/groth16/assemble.hpp>
#include <zkgpu/prover/groth16/stages/prepared_key.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/prover.hpp>

namespace zkgpu {

namespace detail {

struct NoHostRows {};
struct NoEnqueued {};

/// What stages hand on of rows that the host makes; nothing where the host is the device.
template <class Stages>
auto host_rows_of() {
  if constexpr (requires { typename Stages::HostRows; }) {
    return std::type_identity<typename Stages::HostRows>{};
  } else {
    return std::type_identity<NoHostRows>{};
  }
}

/// The work of a proof on a device that the host waits for once; nothing where there is no device.
template <Curve C, Backend B>
auto enqueued_of() {
  if constexpr (DeviceBackend<B>) {
    return std::type_identity<std::optional<EnqueuedProof<C, B>>>{};
  } else {
    return std::type_identity<NoEnqueued>{};
  }
}

/// Where its results come; nothing likewise.
template <Backend B>
struct NoResults {
  explicit NoResults(const B&) noexcept {}
};
template <Curve C, Backend B>
auto results_of() {
  if constexpr (DeviceBackend<B>) {
    return std::type_identity<ResultPool<C, B>>{};
  } else {
    return std::type_identity<NoResults<B>>{};
  }
}

/// One proof on its way: what its stages hand to each other. Wiped when it dies.
template <Curve C, Backend B>
struct ProofJob {
  using F = typename C::Fr;
  using Stages = ProofStages<C, B>;
  using HostRows = typename decltype(host_rows_of<Stages>())::type;

  WitnessSource<F>* source = nullptr;
  typename decltype(enqueued_of<C, B>())::type enqueued;  // before what it lends
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
    if constexpr (DeviceBackend<B>) {
      if (enqueued) enqueued->drain();
    }
    host_rows = {};  // no upload reads them any more
    witness = {};
    evaluations = {};
    h = {};
    if constexpr (DeviceBackend<B>) enqueued.reset();
  }
  /// Nothing of the proof is needed any more, but the proof.
  void end() noexcept {
    clear();
    if (source != nullptr) std::exchange(source, nullptr)->done();
  }

 private:
  void clear() noexcept {
    leave_device();
    z = {};
    secure_wipe(sums);  // they give the witness away
  }
};

/// A stage on the device, enqueued: done when `job.enqueued` is waited for.
template <class QuotientStage, Curve C, DeviceBackend B>
void enqueue_stage(pipeline::StageId stage, ProofJob<C, B>& job, const ProofStages<C, B>& stages,
                   bool rows_on_host) {
  using pipeline::StageId;
  StageContext<B>& at = job.enqueued->context();
  QuerySums<C>& sums = job.enqueued->sums();
  switch (stage) {
    case StageId::synthesize:
    case StageId::assemble:
    case StageId::self_check: return;
    case StageId::upload: job.witness = stages.upload(at, job.z); return;
    case StageId::evaluate:
      job.evaluations =
          rows_on_host ? stages.upload_rows(at, job.host_rows) : stages.evaluate(at, job.witness);
      return;
    case StageId::quotient:
      job.h = stages.template quotient<QuotientStage>(at, job.evaluations);
      return;
    case StageId::msm_h: return stages.enqueue_sum_h(at, job.h, sums.h);
    case StageId::msm_l: return stages.enqueue_sum_l(at, job.witness, sums.l);
    case StageId::msm_a: return stages.enqueue_sum_a(at, job.witness, sums.a);
    case StageId::msm_b_g1: return stages.enqueue_sum_b_g1(at, job.witness, sums.b_g1);
    case StageId::msm_b_g2: return stages.enqueue_sum_b_g2(at, job.witness, sums.b_g2);
  }
}

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
          .b_g2_workspace = bytes.b_g2,
          .host_rows_bytes = bytes.host_rows,
          .host_b_g2_bytes = bytes.host_b_g2};
}

}  // namespace detail

}  // namespace zkgpu
