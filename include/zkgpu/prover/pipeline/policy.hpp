// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>
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

/// Who goes first where several proofs want the same thing.
enum class Priority : std::uint8_t { low, normal, high };

/// Laws: a Lease is the right to use the device until it dies; `should_yield` is true when somebody
/// more urgent waits, and is asked between steps, never inside one.
template <class L>
concept LockModel = std::default_initializable<L> && std::movable<typename L::Lease> &&
    requires(L& l, Priority p, const typename L::Lease& lease) {
  { l.acquire(p) } -> std::same_as<typename L::Lease>;
  { lease.should_yield() } -> std::same_as<bool>;
};

/// Laws: the proof bytes are the same for every policy; `plan` is pure, and its Schedule runs each
/// stage exactly once, after all it depends on (`fault_of` is empty).
/// Besides, `QuotientStage<F, B>` names the way the quotient is computed.
template <class S>
concept Staging = requires(const ProofGraph& g, std::size_t proofs, PipelineLimits limits) {
  { S::plan(g, proofs, limits) } -> std::same_as<Schedule>;
};

/// Laws: `Source<B>` is a BufferSource<B> made from the device; after a proof, also one that
/// failed, `account().in_use_bytes()` is zero.
template <class M>
concept MemoryPolicy = std::derived_from<typename M::template Source<Cpu<arch::scalar>>,
                                         BufferSource<Cpu<arch::scalar>>> &&
                       std::constructible_from < typename M::template Source<Cpu<arch::scalar>>,
        Cpu<arch::scalar>
& > ;

/// Proofs [first, first + count) are planned and run together.
struct ProofBatch {
  std::size_t first = 0;
  std::size_t count = 0;
  friend bool operator==(const ProofBatch&, const ProofBatch&) = default;
};

/// Laws: `batches` is pure, and its batches contain each proof exactly once.
template <class F>
concept FlowPolicy = requires(std::size_t proofs, PipelineLimits limits) {
  { F::batches(proofs, limits) } -> std::same_as<std::vector<ProofBatch>>;
};

template <class P>
concept PipelinePolicy = ThreadPools<typename P::ThreadPools> && LockModel<typename P::LockModel> &&
    Staging<typename P::Staging> && MemoryPolicy<typename P::Memory> &&
    FlowPolicy<typename P::Flow>;

}  // namespace zkgpu::pipeline
