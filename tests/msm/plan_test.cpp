// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cpu/engine.hpp>
#include <zkgpu/msm/layout.hpp>
#include <zkgpu/msm/plan.hpp>

namespace {

using zkgpu::Bls12_381;
using zkgpu::DeviceProperties;
using zkgpu::MsmLayout;
using zkgpu::MsmMethod;
using zkgpu::MsmPlan;
using zkgpu::MsmShape;
using zkgpu::PartLengths;
using Sizes = std::initializer_list<std::size_t>;

constexpr MsmShape g1 = zkgpu::msm_cpu::engine_shape<Bls12_381::G1, zkgpu::arch::scalar>();
constexpr MsmShape g2 = zkgpu::msm_cpu::engine_shape<Bls12_381::G2, zkgpu::arch::scalar>();

static_assert(g1 == MsmShape{.point_bytes = 96,
                             .element_bytes = 48,
                             .base_bytes = 96,
                             .images = 2,
                             .parts = 2,
                             .part_bits = 128});
static_assert(g2 == MsmShape{.point_bytes = 192,
                             .element_bytes = 96,
                             .base_bytes = 192,
                             .images = 4,
                             .parts = 4,
                             .part_bits = 64});
static_assert(MsmPlan::windows_for(128, 13) == 10);
static_assert(MsmPlan::windows_for(128, 16) == 8);

/// The arrays of a layout follow each other, aligned, and have room for what the plan says.
void check_layout(const MsmPlan& plan) {
  const MsmLayout at = zkgpu::layout_msm(plan);
  const std::size_t keys = plan.windows() * plan.buckets();
  const std::size_t lists = keys * plan.shape.images;
  const std::size_t m = plan.slice_points;
  struct Array {
    std::size_t begin, bytes;
  };
  const std::vector<Array> arrays{{at.values, m * plan.shape.parts * plan.shape.part_bytes()},
                                  {at.points, m * 4},
                                  {at.shorts, m * 8},
                                  {at.entries, plan.max_entries() * 4},
                                  {at.offsets, (lists + 1) * 4},
                                  {at.counts, at.blocks * lists * 4},
                                  {at.buckets, keys * plan.shape.point_bytes},
                                  {at.edges, 0},
                                  {at.lanes, keys / at.lane_buckets * 2 * plan.shape.point_bytes},
                                  {at.picked_scalars, (m + 7) / 8 * 32},
                                  {at.picked_bases, (m + 7) / 8 * plan.shape.base_bytes},
                                  {at.scratch, plan.workers * at.scratch_bytes},
                                  {at.total_bytes, 0}};
  for (std::size_t i = 0; i + 1 < arrays.size(); ++i) {
    CHECK(arrays[i].begin % 64 == 0);
    CHECK(arrays[i].begin + arrays[i].bytes <= arrays[i + 1].begin);
  }
  CHECK(at.scratch_bytes % 64 == 0);
  CHECK(plan.workspace_bytes() == (plan.method == MsmMethod::straus ? 0 : at.total_bytes));
}

TEST_CASE("chunks hold every entry once, none too many, and fit the edges of the layout",
          "[msm][plan]") {
  for (const std::size_t size : {2U, 7U, 256U, 5000U}) {
    for (const std::size_t workers : {1U, 2U, 3U, 16U}) {
      for (std::size_t entries = 0; entries <= 70 * size;
           entries += entries < 100 ? 1 : size / 3 + 1) {
        CAPTURE(size, workers, entries);
        const zkgpu::MsmChunks chunks(entries, size, workers);
        REQUIRE(chunks.begin(0) == 0);
        REQUIRE(chunks.begin(chunks.count()) == entries);
        REQUIRE(chunks.count() <= entries / size + 1 + 3 * workers);
        bool sound = true;
        for (std::size_t i = 0; i < chunks.count(); ++i) {
          sound &= chunks.begin(i) <= chunks.begin(i + 1) &&
                   chunks.begin(i + 1) - chunks.begin(i) <= size;
        }
        REQUIRE(sound);
        // Only the last chunk of each worker is cut.
        if (workers == 1) REQUIRE(chunks.count() == (entries + size - 1) / size);
        if (workers > 1 && entries >= 2 * workers * size) {
          REQUIRE(chunks.count() == (entries + size - 1) / size + 3 * workers);
        }
      }
    }
  }
}

TEST_CASE("narrower windows are sorted in as many tasks, and their counts fit", "[msm][plan]") {
  for (const MsmShape& shape : {g1, g2}) {
    for (const std::size_t workers : {1U, 2U, 7U, 64U}) {
      const MsmPlan plan =
          zkgpu::plan_msm(shape, 1 << 16, DeviceProperties{.compute_units = workers});
      const std::size_t room = zkgpu::layout_msm(plan).blocks * plan.windows() * plan.buckets();
      for (unsigned c = 1; c <= plan.window_bits; ++c) {
        for (unsigned bits = 1; bits <= shape.part_bits; ++bits) {
          const std::size_t windows = MsmPlan::windows_for(bits, c),
                            buckets = std::size_t{1} << (c - 1);
          const std::size_t blocks = zkgpu::msm_blocks_within(plan, windows, buckets);
          CAPTURE(workers, c, bits);
          REQUIRE(blocks >= 1);
          REQUIRE(blocks <= zkgpu::msm_blocks(1, workers));  // as many as there are pieces
          REQUIRE(blocks * windows * buckets <= room);
          if (workers == 1) REQUIRE(blocks == 1);
          if (workers > 1) REQUIRE(blocks * windows + windows > 4 * workers);
        }
      }
    }
  }
}

TEST_CASE("plans are sane for every size, group and machine", "[msm][plan]") {
  std::vector<std::size_t> sizes;
  for (std::size_t n = 0; n <= 1100; ++n) sizes.push_back(n);
  for (unsigned k = 11; k <= 28; ++k) {
    for (const int d : {-1, 0, 1})
      sizes.push_back((std::size_t{1} << k) + static_cast<std::size_t>(d));
  }
  for (const MsmShape& shape : {g1, g2}) {
    for (const std::size_t threads : Sizes{1, 2, 7, 64, 256}) {
      for (const std::size_t cache :
           Sizes{std::size_t{0}, std::size_t{1} << 18, std::size_t{1} << 21}) {
        const DeviceProperties machine{.compute_units = threads, .unit_cache_bytes = cache};
        for (const std::size_t n : sizes) {
          const MsmPlan plan = zkgpu::plan_msm(shape, n, machine);
          CAPTURE(to_string(plan), threads, cache);
          CHECK(plan == zkgpu::plan_msm(shape, n, machine));
          CHECK(plan.n == n);
          CHECK(plan.workers == threads);
          CHECK(plan.slices() * plan.slice_points >= n);
          if (n > 0) CHECK((plan.slices() - 1) * plan.slice_points < n);
          CHECK((plan.window_bits >= 2 && plan.window_bits <= 17));
          CHECK(plan.windows() * plan.window_bits >= shape.part_bits);
          CHECK((plan.chunk_entries >= 256 && plan.chunk_entries <= 8192));
          CHECK(plan.slice_points * shape.parts <= std::size_t{1} << 21);
          if (n % 97 == 0 || n > 1100) check_layout(plan);
        }
      }
    }
  }
}

TEST_CASE("a workspace stays within what the design allows", "[msm][plan]") {
  const DeviceProperties machine{.compute_units = 2, .unit_cache_bytes = std::size_t{1} << 21};
  CHECK(zkgpu::plan_msm(g1, 1 << 16, machine).workspace_bytes() < 20'000'000);
  CHECK(zkgpu::plan_msm(g2, 1 << 16, machine).workspace_bytes() < 20'000'000);
  CHECK(zkgpu::plan_msm(g1, 1 << 24, machine).workspace_bytes() < 200'000'000);
  CHECK(zkgpu::plan_msm(g2, 1 << 24, machine).workspace_bytes() < 200'000'000);
  CHECK(zkgpu::plan_msm(g1, 16, machine).workspace_bytes() == 0);
}

TEST_CASE("wider windows are chosen for more points, never a width that costs more",
          "[msm][plan]") {
  const DeviceProperties machine{.compute_units = 1};
  for (const MsmShape& shape : {g1, g2}) {
    unsigned last = 0;
    for (unsigned k = 5; k <= 19; ++k) {
      const MsmPlan plan = zkgpu::plan_msm(shape, std::size_t{1} << k, machine);
      CHECK(plan.window_bits + 1 >= last);  // widths that cut evenly win over their neighbours
      last = plan.window_bits;
      const auto cost = [&](unsigned c) {
        return MsmPlan::windows_for(shape.part_bits, c) *
               ((std::size_t{shape.parts} << k) + (std::size_t{3} << (c - 1)));
      };
      for (unsigned c = 2; c <= 17; ++c) CHECK(cost(plan.window_bits) <= cost(c));
    }
  }
  CHECK(zkgpu::plan_msm(g1, 1 << 20, machine).window_bits == 16);
}

TEST_CASE("short scalars take narrow windows", "[msm][plan]") {
  PartLengths lengths;
  CHECK(lengths.longest() == 0);
  CHECK(zkgpu::best_window_bits(lengths, 4, 16) == 4);
  lengths.count[8] = 1000;
  CHECK(lengths.longest() == 8);
  CHECK(lengths.entries(9) == 1000);
  CHECK(lengths.entries(8) == 2000);
  CHECK(zkgpu::best_window_bits(lengths, 4, 16) == 9);
  lengths.count[127] = 10;
  CHECK(lengths.entries(16) == 1000 + 80);
  CHECK(zkgpu::best_window_bits(lengths, 4, 16) < 9);
}

}  // namespace
