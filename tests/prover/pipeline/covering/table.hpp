// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_cache_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_numa_pools.hpp>

namespace zkgpu::test {

/// All values of every part of a policy, and rows of them in which each pair of values that may
/// stand together does so.
namespace covering {

namespace p = pipeline;

/// Where buffers come from and where they go: what one says the other must fit.
template <class Buffers_, class Release_>
struct Store {
  using Buffers = Buffers_;
  using Release = Release_;
};
template <bool value_>
struct Flag {
  static constexpr bool value = value_;
};

using Values = std::tuple<
    std::tuple<p::inline_pool, p::shared_pool, p::split_pools, p::sized_pools, p::per_cache_pools,
               p::per_numa_pools>,
    std::tuple<p::no_lock, p::process_lock, p::device_lock, p::two_lock, p::split_lock,
               p::reservation>,
    std::tuple<p::synthesis::circuit_walk, p::synthesis::matrix_cpu, p::synthesis::matrix_device>,
    std::tuple<p::upload::pageable, p::upload::registered, p::upload::pinned_ring>,
    std::tuple<p::g2_tail::cpu_inline, p::g2_tail::cpu_after_unlock, p::g2_tail::cpu_detached,
               p::g2_tail::device>,
    std::tuple<p::sync::eager, p::sync::deferred, p::sync::graph>,
    std::tuple<p::load_per_proof, p::resident_host, p::budgeted_lru, p::resident_device,
               p::split_resident>,
    std::tuple<Store<p::allocate_each, p::free_inline>, Store<p::allocate_each, p::free_async>,
               Store<p::allocate_each, p::free_serialised>, Store<p::cached, p::recycle>,
               Store<p::arena, p::recycle>>,
    std::tuple<Flag<false>, Flag<true>>,  // early release
    std::tuple<p::unit::whole_proof, p::unit::partition>,
    std::tuple<p::order::fifo, p::order::priority, p::order::oldest_first, p::order::deadline>,
    std::tuple<p::admission::unbounded, p::admission::worker_count,
               p::admission::held_through_queue, p::admission::credits, p::admission::byte_budget>,
    std::tuple<p::batching::none, p::batching::sector_batch, p::batching::continuous>,
    std::tuple<p::throttle::none, p::throttle::yield_flag, p::throttle::quota>,
    std::tuple<p::grain::per_partition, p::grain::per_gadget>,
    std::tuple<p::key_stream::per_circuit, p::key_stream::shared_by<2>>>;

inline constexpr std::size_t part_count = std::tuple_size_v<Values>;
using Row = std::array<unsigned char, part_count>;

inline constexpr std::array<std::size_t, part_count> value_counts =
    []<std::size_t... part>(std::index_sequence<part...>) {
  return std::array<std::size_t, part_count>{
      std::tuple_size_v<std::tuple_element_t<part, Values>>...};
}
(std::make_index_sequence<part_count>());

/// A batch of sectors is of whole proofs; a proof that waits once has its key on the device and its
/// uploads page-locked in place; proofs that share a key bring it, and several have the device.
/// Every other pair may stand together.
constexpr bool fits(std::size_t part, std::size_t value, std::size_t other_part,
                    std::size_t other_value) {
  const auto pair = [&](std::size_t x, std::size_t y) { return part == x && other_part == y; };
  if (pair(9, 12)) return value != 1 || other_value != 1;
  if (pair(3, 5)) return value == 1 || other_value != 2;
  if (pair(5, 6)) return value != 2 || other_value == 3;
  if (pair(5, 15)) return value != 2 || other_value != 1;
  if (pair(6, 15)) return other_value != 1 || (value != 2 && value != 3);
  if (pair(1, 15)) return other_value != 1 || value != 1;
  return true;
}

/// Found by a greedy search; that it is complete is what table_test.cpp sees to.
inline constexpr Row rows[] = {
    {0, 2, 1, 1, 2, 0, 1, 1, 0, 1, 3, 4, 0, 1, 1, 1},
    {1, 5, 2, 2, 1, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 0},
    {2, 3, 0, 0, 3, 1, 4, 3, 0, 0, 2, 3, 1, 2, 1, 1},
    {3, 4, 0, 2, 0, 0, 0, 4, 1, 1, 1, 2, 2, 2, 0, 1},
    {5, 0, 2, 0, 3, 0, 3, 2, 0, 1, 0, 0, 2, 0, 1, 0},
    {4, 1, 1, 1, 2, 1, 0, 2, 1, 0, 1, 1, 1, 1, 0, 0},
    {1, 1, 1, 1, 1, 0, 2, 0, 0, 1, 2, 3, 2, 2, 1, 0},
    {2, 4, 1, 2, 0, 1, 3, 1, 1, 0, 3, 0, 1, 0, 0, 0},
    {5, 2, 2, 0, 0, 1, 1, 4, 1, 0, 2, 3, 0, 1, 0, 1},
    {0, 0, 2, 2, 3, 1, 4, 3, 1, 0, 1, 4, 2, 1, 0, 1},
    {3, 5, 1, 1, 0, 0, 4, 3, 0, 0, 0, 2, 1, 0, 1, 1},
    {4, 3, 0, 0, 1, 1, 3, 0, 0, 1, 1, 2, 0, 1, 1, 0},
    {5, 3, 0, 2, 2, 0, 4, 4, 0, 1, 3, 1, 2, 0, 1, 1},
    {4, 4, 2, 1, 3, 0, 0, 3, 0, 1, 3, 0, 0, 2, 1, 1},
    {2, 5, 0, 0, 2, 0, 2, 1, 1, 1, 0, 4, 2, 1, 1, 0},
    {3, 0, 0, 2, 1, 1, 1, 2, 0, 0, 2, 4, 0, 2, 0, 1},
    {1, 0, 1, 0, 3, 1, 2, 4, 0, 0, 3, 2, 1, 1, 1, 0},
    {0, 4, 2, 0, 1, 0, 0, 0, 0, 0, 2, 4, 1, 0, 1, 1},
    {3, 1, 2, 0, 3, 1, 3, 1, 0, 0, 2, 1, 0, 2, 1, 0},
    {4, 2, 0, 2, 3, 1, 1, 0, 1, 1, 1, 0, 2, 0, 0, 1},
    {0, 3, 0, 1, 0, 1, 2, 2, 1, 1, 0, 0, 0, 2, 0, 0},
    {5, 2, 2, 1, 2, 1, 2, 3, 1, 0, 1, 2, 1, 2, 0, 0},
    {2, 1, 2, 1, 1, 0, 4, 4, 0, 0, 3, 0, 0, 1, 1, 0},
    {1, 0, 0, 1, 2, 1, 0, 1, 0, 0, 1, 3, 0, 0, 1, 1},
    {0, 5, 0, 1, 2, 0, 3, 4, 0, 1, 3, 3, 2, 2, 0, 0},
    {1, 1, 0, 2, 0, 0, 1, 3, 1, 1, 0, 4, 2, 0, 1, 0},
    {1, 4, 1, 2, 2, 1, 4, 2, 1, 0, 0, 3, 2, 1, 1, 1},
    {3, 3, 2, 2, 2, 0, 1, 0, 0, 0, 3, 0, 1, 1, 1, 1},
    {5, 3, 1, 0, 1, 1, 0, 1, 0, 1, 0, 4, 0, 0, 1, 1},
    {2, 5, 2, 0, 3, 0, 1, 2, 1, 1, 1, 2, 2, 2, 1, 1},
    {4, 0, 0, 0, 0, 0, 4, 0, 1, 1, 2, 1, 2, 2, 0, 1},
    {2, 2, 2, 1, 1, 1, 0, 3, 1, 1, 0, 1, 0, 2, 1, 1},
    {5, 5, 2, 0, 2, 1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 1},
    {4, 5, 0, 2, 0, 0, 2, 4, 0, 0, 0, 4, 2, 1, 0, 0},
    {0, 1, 1, 1, 1, 0, 4, 1, 0, 0, 2, 2, 1, 1, 0, 0},
    {1, 2, 0, 1, 3, 1, 3, 2, 1, 1, 3, 4, 2, 1, 0, 0},
    {5, 4, 2, 1, 2, 1, 1, 0, 0, 1, 1, 1, 2, 2, 0, 1},
    {1, 3, 0, 0, 0, 1, 3, 3, 1, 0, 1, 0, 0, 0, 0, 0},
    {3, 2, 1, 0, 0, 0, 4, 4, 0, 0, 1, 3, 0, 2, 1, 1},
    {4, 4, 1, 1, 0, 0, 2, 1, 0, 0, 1, 3, 0, 2, 0, 0},
    {2, 0, 0, 2, 1, 1, 1, 0, 0, 0, 0, 4, 0, 2, 1, 1},
    {5, 1, 2, 1, 0, 0, 1, 0, 0, 0, 3, 4, 1, 1, 1, 0},
    {3, 2, 1, 2, 1, 1, 2, 0, 1, 1, 1, 3, 2, 0, 0, 0},
    {0, 1, 2, 1, 1, 1, 4, 3, 0, 0, 2, 1, 1, 2, 1, 0},
    {2, 5, 2, 1, 3, 2, 3, 3, 0, 0, 1, 2, 1, 0, 0, 0},
    {5, 4, 0, 1, 2, 2, 3, 4, 1, 1, 3, 3, 2, 1, 1, 0},
    {0, 1, 1, 1, 1, 2, 3, 0, 0, 1, 2, 0, 0, 2, 0, 0},
    {3, 3, 2, 1, 0, 2, 3, 1, 0, 0, 0, 4, 1, 0, 1, 0},
    {1, 0, 2, 1, 3, 2, 3, 2, 0, 1, 2, 1, 0, 1, 1, 0},
    {4, 2, 2, 1, 0, 2, 3, 0, 0, 0, 2, 1, 0, 1, 1, 0},
};
inline constexpr std::size_t row_count = std::size(rows);

template <std::size_t row, std::size_t part>
using Value = std::tuple_element_t<rows[row][part], std::tuple_element_t<part, Values>>;

template <std::size_t row>
struct Policy {
  using ThreadPools = Value<row, 0>;
  using LockModel = Value<row, 1>;
  using Staging =
      p::staging<Value<row, 2>, Value<row, 3>, Value<row, 4>, Value<row, 5>, Value<row, 15>>;
  using Memory = p::memory<Value<row, 6>, typename Value<row, 7>::Buffers,
                           typename Value<row, 7>::Release, Value<row, 8>::value>;
  using Flow = p::flow<Value<row, 9>, Value<row, 10>, Value<row, 11>, Value<row, 12>,
                       Value<row, 13>, Value<row, 14>>;
};

}  // namespace covering
}  // namespace zkgpu::test
