// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string_view>

#include <zkgpu/prover/pipeline/flow/flow.hpp>
#include <zkgpu/prover/pipeline/lock_model/device_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/no_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/process_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/reservation.hpp>
#include <zkgpu/prover/pipeline/lock_model/split_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/two_lock.hpp>
#include <zkgpu/prover/pipeline/memory/cached.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>
#include <zkgpu/prover/pipeline/staging/in_order.hpp>
#include <zkgpu/prover/pipeline/staging/overlapped.hpp>
#include <zkgpu/prover/pipeline/staging/textbook.hpp>
#include <zkgpu/prover/pipeline/thread_pools/inline_pool.hpp>
#include <zkgpu/prover/pipeline/thread_pools/shared_pool.hpp>

/// The named policies: one sentence each.
namespace zkgpu::pipeline {

/// The textbook and the oracle: stages one after another on the caller's thread, seven transforms.
struct reference {
  static constexpr std::string_view name = "reference";
  using ThreadPools = inline_pool;
  using LockModel = no_lock;
  using Staging = textbook;
  using Memory = memory<resident_host, allocate_each, free_inline, true>;
  using Flow = plain_flow;
};

/// Proving without a GPU: stages side by side on one pool, six transforms, buffers kept.
struct cpu_only {
  static constexpr std::string_view name = "cpu_only";
  using ThreadPools = shared_pool;
  using LockModel = no_lock;
  using Staging = overlapped;
  using Memory = memory<resident_host, cached, recycle, true>;
  using Flow = plain_flow;
};

/// A card that holds the key and all the memory of a proof: stages side by side, each with a queue
/// of its own, buffers kept; as many proofs as the memory holds.
struct datacenter {
  static constexpr std::string_view name = "datacenter";
  using ThreadPools = shared_pool;
  using LockModel = reservation;
  using Staging = overlapped;
  using Memory = memory<resident_device, cached, recycle, true>;
  using Flow = plain_flow;
};

/// A card that holds the key and the largest stage: one proof at a time, one stage after another,
/// buffers given back.
struct low_memory {
  static constexpr std::string_view name = "low_memory";
  using ThreadPools = inline_pool;
  using LockModel = process_lock;
  using Staging = in_order;
  using Memory = memory<resident_device, allocate_each, free_inline, true>;
  using Flow = plain_flow;
};

static_assert(PipelinePolicy<datacenter> && PipelinePolicy<low_memory>);
static_assert(PipelinePolicy<reference> && PipelinePolicy<cpu_only>);

}  // namespace zkgpu::pipeline
