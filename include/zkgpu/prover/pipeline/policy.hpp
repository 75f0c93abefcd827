// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/groth16/stages/key_place.hpp>
#include <zkgpu/prover/pipeline/flow/admission.hpp>
#include <zkgpu/prover/pipeline/flow/proof_tag.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/pipeline/lock_model/lease.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>
#include <zkgpu/prover/pipeline/task.hpp>

/// How proofs are run is a type with five parts: on which threads, under which lock, in which
/// order, in which memory, and how many. No part knows what a stage computes.
namespace zkgpu::pipeline {

/// Laws: a submitted task runs exactly once, before `drain` returns; `drain` rethrows the first
/// failure after every task has ended, and leaves the pool usable; tasks may submit tasks.
template <class E>
concept ThreadPools = std::constructible_from<E, const PipelineLimits&> &&
    requires(E& e, PoolRole role, Task task) {
  { e.submit(role, std::move(task)) } -> std::same_as<void>;
  { e.drain() } -> std::same_as<void>;
  { e.width(role) } -> std::convertible_to<std::size_t>;
};

/// Who may use a device when. A lease is asked for and granted; nobody waits in a thread, so that a
/// pool of any width makes progress.
///
/// A proof asks for its place once, before its upload, and each of its steps on the device for the
/// device. The place is given back when the proof ends, or after its last step on the device unless
/// `until_assembled`. `places` is pure: the most proofs that have one at a time, if each takes so
/// many bytes of the device; memory is planned for them.
///
/// Laws: `request` calls the grant exactly once, at once or when others give back, or throws; of
/// those that wait the most urgent comes first, then the first to come; when all leases are given
/// back, nobody waits.
template <class L>
concept LockModel = std::constructible_from<L, const PipelineLimits&> &&
    requires(L& l, const LeaseRequest& wanted, Grant grant, PipelineLimits limits,
             std::size_t bytes) {
  { L::until_assembled } -> std::convertible_to<bool>;
  { L::places(limits, bytes) } -> std::same_as<std::size_t>;
  { l.request(wanted, std::move(grant)) } -> std::same_as<void>;
};

/// Laws: the proof bytes are the same for every policy; `plan` is pure, and its Schedule runs each
/// stage exactly once, after all it depends on (`fault_of` is empty).
/// Proofs of one schedule do not wait for each other, and its peak is as many times that of one.
/// `places` says what is on the host; `QuotientStage<F, B>` names the way the quotient is computed.
template <class S>
concept Staging = requires(const ProofGraph& g, std::size_t proofs, PipelineLimits limits) {
  { S::places } -> std::convertible_to<GraphPlaces>;
  { S::plan(g, proofs, limits) } -> std::same_as<Schedule>;
};

/// Laws: `Source<B>` is a BufferSource<B> made from the device and the most bytes that are planned
/// to be lent at once. Any order of requests within that plan succeeds while the device has the
/// memory, and no more is taken of it than `memory_footprint<M>` says; after a proof, also one that
/// failed, `account().in_use_bytes()` is zero; when the source dies nothing of it is on the device.
/// Besides, `key` says where the key is, and `early_release` whether rows that the quotient has
/// read go at once. `memory` composes all of this from parts.
template <class M>
concept MemoryPolicy = std::derived_from<typename M::template Source<Cpu<arch::scalar>>,
                                         BufferSource<Cpu<arch::scalar>>> &&
                       std::constructible_from < typename M::template Source<Cpu<arch::scalar>>,
        Cpu<arch::scalar>
&, std::size_t > &&requires(const typename M::template Source<Cpu<arch::scalar>>& source) {
  { source.account().in_use_bytes() } -> std::convertible_to<std::size_t>;
  { source.account().peak_bytes() } -> std::convertible_to<std::size_t>;
  { M::key } -> std::convertible_to<KeyPlace>;
  { M::early_release } -> std::convertible_to<bool>;
};

/// Who may begin. Laws: as of a LockModel; `until` says when what was granted comes back.
template <class A>
concept AdmissionModel = std::constructible_from<A, const PipelineLimits&> &&
    requires(A& a, std::size_t host_bytes, const Rank& rank, Grant grant) {
  { A::until } -> std::convertible_to<AdmissionEnd>;
  { a.request(host_bytes, rank, std::move(grant)) } -> std::same_as<void>;
};

/// What holds the making of witnesses back. Laws: a grant is called exactly once, at the latest
/// when every lease has come back.
template <class T>
concept ThrottleModel = std::constructible_from<T, const PipelineLimits&> &&
    requires(T& t, const Rank& rank, Grant grant) {
  { t.begin_synthesis(rank, std::move(grant)) } -> std::same_as<void>;
  { t.begin_host_sum() } -> std::same_as<Lease>;
};

/// Laws: `batches` is pure, and its batches contain each proof exactly once, in the order of the
/// requests; `rank` begins with the urgency.
template <class F>
concept FlowPolicy = AdmissionModel<typename F::Admission> && ThrottleModel<typename F::Throttle> &&
    requires(const ProofTag& tag, std::span<const ProofTag> tags, PipelineLimits limits) {
  { F::rank(tag) } -> std::same_as<Rank>;
  { F::batches(tags, limits) } -> std::same_as<std::vector<ProofBatch>>;
  { F::jobs_in_flight(limits) } -> std::same_as<std::size_t>;
  { F::spreads_witness } -> std::convertible_to<bool>;
};

template <class P>
concept PipelinePolicy = ThreadPools<typename P::ThreadPools> && LockModel<typename P::LockModel> &&
    Staging<typename P::Staging> && MemoryPolicy<typename P::Memory> &&
    FlowPolicy<typename P::Flow>;

}  // namespace zkgpu::pipeline
