// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <string_view>

#include <zkgpu/prover/pipeline/flow/flow.hpp>
#include <zkgpu/prover/pipeline/lock_model/device_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/no_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/process_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/reservation.hpp>
#include <zkgpu/prover/pipeline/lock_model/split_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/two_lock.hpp>
#include <zkgpu/prover/pipeline/memory/arena.hpp>
#include <zkgpu/prover/pipeline/memory/cached.hpp>
#include <zkgpu/prover/pipeline/memory/free_async.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>
#include <zkgpu/prover/pipeline/staging/staging.hpp>
#include <zkgpu/prover/pipeline/staging/textbook.hpp>
#include <zkgpu/prover/pipeline/thread_pools/inline_pool.hpp>
#include <zkgpu/prover/pipeline/thread_pools/shared_pool.hpp>
#include <zkgpu/prover/pipeline/thread_pools/sized_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/split_pools.hpp>

/// The named policies, one sentence each. `usual` are counts that fit: of the phases those that
/// their history was measured with, where threads are as many as the machine has.
namespace zkgpu::pipeline {

/// The textbook and the oracle: stages one after another on the caller's thread, seven transforms.
struct reference {
  static constexpr std::string_view name = "reference";
  static constexpr PipelineLimits usual{};
  using ThreadPools = inline_pool;
  using LockModel = no_lock;
  using Staging = textbook;
  using Memory = memory<resident_host, allocate_each, free_inline, true>;
  using Flow = plain_flow;
};

/// Proving without a GPU: stages side by side on one pool, six transforms, buffers kept.
struct cpu_only {
  static constexpr std::string_view name = "cpu_only";
  static constexpr PipelineLimits usual{};
  using ThreadPools = shared_pool;
  using LockModel = no_lock;
  using Staging = overlapped;
  using Memory = memory<resident_host, cached, recycle, true>;
  using Flow = plain_flow;
};

/// A card that holds the key and all the memory of a proof: stages side by side, each with a queue
/// of its own, buffers kept; as many proofs as the memory holds, the oldest job first, and no
/// witness made that the device will not take soon.
struct datacenter {
  static constexpr std::string_view name = "datacenter";
  static constexpr PipelineLimits usual{.proofs_in_flight = 16, .synthesis_workers = 16};
  using ThreadPools = shared_pool;
  using LockModel = reservation;
  using Staging = staging<synthesis::matrix_device, upload::pinned_ring, g2_tail::device,
                          sync::deferred, key_stream::per_circuit>;
  using Memory = memory<resident_device, cached, recycle, true>;
  using Flow = flow<unit::partition, order::oldest_first, admission::credits, batching::continuous,
                    throttle::none, grain::per_gadget>;
};

/// A card of 16 GB under a desk: what fits of the key stays on it, the rest streams from the host;
/// buffers kept, one stage after another, the next proof's witness beside them.
struct desktop16 {
  static constexpr std::string_view name = "desktop16";
  static constexpr PipelineLimits usual{
      .proofs_in_flight = 2, .device_workers = 1, .synthesis_workers = 1};
  using ThreadPools = split_pools;
  using LockModel = split_lock;
  using Staging = staging<synthesis::matrix_device, upload::pinned_ring, g2_tail::device,
                          sync::eager, key_stream::per_circuit>;
  using Memory = memory<split_resident, cached, recycle, true>;
  using Flow = flow<unit::partition, order::oldest_first, admission::held_through_queue,
                    batching::continuous, throttle::none, grain::per_gadget>;
};

/// A card that holds the key and the largest stage: one proof at a time, one stage after another,
/// buffers given back.
struct low_memory {
  static constexpr std::string_view name = "low_memory";
  static constexpr PipelineLimits usual{};
  using ThreadPools = inline_pool;
  using LockModel = process_lock;
  using Staging = in_order;
  using Memory = memory<resident_device, allocate_each, free_inline, true>;
  using Flow = plain_flow;
};

/// State outlives a proof: the key stays in the host's memory, and streams to the device for each
/// sum. The circuit is walked on the host, its rows go up from pageable memory.
struct phase0 {
  static constexpr std::string_view name = "phase0";
  static constexpr PipelineLimits usual{.proofs_in_flight = 10, .device_workers = 1};
  using ThreadPools = shared_pool;
  using LockModel = process_lock;
  using Staging = staging<synthesis::circuit_walk, upload::pageable, g2_tail::cpu_inline,
                          sync::eager, key_stream::per_circuit>;
  using Memory = memory<resident_host, allocate_each, free_inline, false>;
  using Flow = flow<unit::whole_proof, order::fifo, admission::worker_count, batching::none,
                    throttle::none, grain::per_partition>;
};

/// Kinds of proofs have priorities.
struct phase1 : phase0 {
  static constexpr std::string_view name = "phase1";
  using Flow = flow<unit::whole_proof, order::priority, admission::worker_count, batching::none,
                    throttle::none, grain::per_partition>;
};

/// The next job's witnesses are made beside the device's work: two jobs in flight.
struct phase2 : phase1 {
  static constexpr std::string_view name = "phase2";
  static constexpr PipelineLimits usual{
      .proofs_in_flight = 20, .device_workers = 1, .jobs_in_flight = 2};
  using ThreadPools = split_pools;
};

/// Jobs of one circuit are proved as one batch.
struct phase3 : phase2 {
  static constexpr std::string_view name = "phase3";
  static constexpr PipelineLimits usual{
      .proofs_in_flight = 40, .device_workers = 1, .jobs_in_flight = 2, .batch_jobs = 2};
  using Flow = flow<unit::whole_proof, order::priority, admission::worker_count,
                    batching::sector_batch, throttle::none, grain::per_partition>;
};

/// Buffers are kept: much of the device's time was the freeing of memory.
struct phase4 : phase3 {
  static constexpr std::string_view name = "phase4";
  using Memory = memory<resident_host, cached, recycle, false>;
};

/// Constraints are matrices: rows by products on the host.
struct phase5 : phase4 {
  static constexpr std::string_view name = "phase5";
  using Staging = staging<synthesis::matrix_cpu, upload::pageable, g2_tail::cpu_inline, sync::eager,
                          key_stream::per_circuit>;
};

/// One partition a device call: a third of the memory.
struct phase6 : phase5 {
  static constexpr std::string_view name = "phase6";
  static constexpr PipelineLimits usual{
      .proofs_in_flight = 10, .device_workers = 1, .synthesis_workers = 3};
  using Flow = flow<unit::partition, order::priority, admission::worker_count, batching::none,
                    throttle::none, grain::per_partition>;
};

/// Partitions of all jobs share one queue.
struct phase7 : phase6 {
  static constexpr std::string_view name = "phase7";
  static constexpr PipelineLimits usual{
      .proofs_in_flight = 12, .device_workers = 1, .synthesis_workers = 10};
  using LockModel = device_lock;
  using Flow = flow<unit::partition, order::priority, admission::worker_count, batching::continuous,
                    throttle::none, grain::per_partition>;
};

/// Two workers, and the lock only around kernels: the sum in G2 comes after it.
struct phase8 : phase7 {
  static constexpr std::string_view name = "phase8";
  static constexpr PipelineLimits usual{
      .proofs_in_flight = 12, .device_workers = 2, .synthesis_workers = 10};
  using Staging = staging<synthesis::matrix_cpu, upload::pageable, g2_tail::cpu_after_unlock,
                          sync::eager, key_stream::per_circuit>;
};

/// Uploads from page-locked memory, results waited for where they are read.
struct phase9 : phase8 {
  static constexpr std::string_view name = "phase9";
  using Staging = staging<synthesis::matrix_cpu, upload::registered, g2_tail::cpu_after_unlock,
                          sync::deferred, key_stream::per_circuit>;
};

/// A lock for memory and one for kernels, and no admission: it went out of memory. Whoever names
/// the shape and the device is told so by the compiler.
template <CircuitShape shape, std::size_t device_bytes, std::size_t workers = 3>
struct phase10 : phase9 {
  static_assert(
      workers * phase9::Staging::bytes_of_one(make_groth16_graph(shape, phase9::Staging::places)) <=
          device_bytes,
      "phase10: its workers' proofs together do not fit into the device's memory, and "
      "two locks reserve none of it");
  static constexpr std::string_view name = "phase10";
  static constexpr PipelineLimits usual{
      .proofs_in_flight = 13, .device_workers = workers, .synthesis_workers = 10};
  using LockModel = two_lock;
};

/// One integer did it: few threads on the device's side leave the caches to the witnesses. Memory
/// is freed one buffer at a time, and witnesses are not begun beside a sum on the host.
struct phase11 : phase9 {
  static constexpr std::string_view name = "phase11";
  using ThreadPools = sized_pools;
  using Memory = memory<resident_host, allocate_each, free_serialised, false>;
  using Flow = flow<unit::partition, order::priority, admission::worker_count, batching::continuous,
                    throttle::yield_flag, grain::per_partition>;
};

/// A start and a finalise: rows go when the quotient has read them, a permit is held until the
/// device takes the proof, the sum in G2 runs beside everything.
struct phase12 : phase11 {
  static constexpr std::string_view name = "phase12";
  using LockModel = split_lock;
  using Staging = staging<synthesis::matrix_cpu, upload::registered, g2_tail::cpu_detached,
                          sync::deferred, key_stream::per_circuit>;
  using Memory = memory<resident_host, allocate_each, free_serialised, true>;
  using Flow = flow<unit::partition, order::oldest_first, admission::held_through_queue,
                    batching::continuous, throttle::yield_flag, grain::per_partition>;
};

static_assert(PipelinePolicy<reference> && PipelinePolicy<cpu_only>);
static_assert(PipelinePolicy<datacenter> && PipelinePolicy<desktop16> &&
              PipelinePolicy<low_memory>);
static_assert(PipelinePolicy<phase0> && PipelinePolicy<phase1> && PipelinePolicy<phase2> &&
              PipelinePolicy<phase3> && PipelinePolicy<phase4> && PipelinePolicy<phase5> &&
              PipelinePolicy<phase6> && PipelinePolicy<phase7> && PipelinePolicy<phase8> &&
              PipelinePolicy<phase9> && PipelinePolicy<phase11> && PipelinePolicy<phase12>);
static_assert(PipelinePolicy<phase10<CircuitShape{}, 1>>);

}  // namespace zkgpu::pipeline
