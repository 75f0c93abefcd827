// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "machines.hpp"

#include <catch2/catch.hpp>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/bitmap/bits.hpp>
#include <zkgpu/msm/cuda/bitmap/plan.hpp>
#include <zkgpu/msm/cuda/digits.hpp>

namespace {

using namespace zkgpu;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;
using Fr = Bls12_381::Fr;

using test::gib;
using test::h200;

}  // namespace

TEST_CASE("the ones of a bitmap are listed in order, without bases at infinity", "[msm][cuda]") {
  std::mt19937_64 random(7);
  for (std::size_t n : {1u, 63u, 64u, 65u, 128u, 1000u}) {
    std::vector<std::uint64_t> words((n + 63) / 64);
    struct alignas(16) Flags {
      std::uint8_t at[1024] = {};
    } infinity;
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < n; ++i) {
      const bool one = random() % 3 != 0;
      infinity.at[i] = random() % 4 == 0 ? 1 : 0;
      if (one) words[i / 64] |= std::uint64_t{1} << (i % 64);
      if (one && infinity.at[i] == 0) expected.push_back(static_cast<std::uint32_t>(100 + i));
    }
    const BitmapRange range{words.data(), infinity.at, n, 100};
    std::vector<std::uint32_t> keys(n), places(n);
    std::size_t count = 0;
    REQUIRE(range.word_count() == words.size());
    for (std::size_t w = 0; w < words.size(); ++w) {
      const std::uint64_t bits = range.ones(w);
      range.list(w, bits, 5, keys.data() + count, places.data() + count);
      count += static_cast<std::size_t>(std::popcount(bits));
    }
    keys.resize(count);
    places.resize(count);
    CHECK(places == expected);
    CHECK(std::all_of(keys.begin(), keys.end(), [](std::uint32_t key) { return key == 5; }));
  }
}

TEST_CASE("eight flags become the eight bits of a byte", "[msm][cuda]") {
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t flags = 0;
    for (unsigned i = 0; i < 8; ++i) flags |= (byte >> i & 1) << 8 * i;
    CHECK(bits_of_flags(flags) == byte);
  }
}

TEST_CASE("entries of wide scalars come to stand at their bases in the table", "[msm][cuda]") {
  const std::vector<std::uint32_t> at{70, 71, 100, 163};
  WidePlaces places{at.data(), 64, 2, 1000};
  auto plan = plan_cuda_msm_with(Msm<G1, Cuda>::shape(), 1000, 8, 7, h200());
  auto batch = plan;
  batch.n = 4;
  for (unsigned window = 0; window < plan.windows; ++window) {
    for (std::size_t j = 0; j < at.size(); ++j) {
      for (bool negative : {false, true}) {
        const auto own = msm_entry(batch, 3, negative, window, j);
        const auto wanted = msm_entry(plan, 3, negative, window, at[j] - 64);
        CHECK(places.in_table(own.place) == wanted.place);
        CHECK(own.key == wanted.key);
      }
    }
  }
}

TEST_CASE("plans for bitmaps keep their lists in bounds, resident and streamed",
          "[msm][cuda][plan]") {
  for (unsigned log_n : {0u, 6u, 14u, 20u, 24u, 28u}) {
    for (std::size_t bitmaps : {1u, 3u, 10u}) {
      const std::size_t n = (std::size_t{1} << log_n) + (log_n == 20 ? 5 : 0);
      const CudaMsmBitmapSizes sizes{n, n / 10, bitmaps};
      const auto shape = Msm<G2, Cuda>::shape();
      const auto bases = plan_cuda_msm_bitmap_bases(shape, sizes, 60 * gib, h200());
      const auto resident = plan_cuda_msm_bitmap(bases, sizes, 40 * gib);
      const auto streamed = plan_cuda_msm_bitmap_streamed(shape, sizes, 20 * gib, h200());
      for (const auto& plan : {resident, streamed}) {
        INFO(to_string(plan));
        CHECK(std::has_single_bit(plan.sum.chunk_points));
        CHECK(plan.sum.chunk_points * plan.sum.tables <= std::size_t{1} << 31);
        CHECK((plan.ones_bases >= plan.chunk_bases || plan.ones_bases % cuda_bitmap_block == 0));
        CHECK((plan.chunk_bases >= n || plan.chunk_bases % cuda_bitmap_block == 0));
        CHECK(plan.ones().chunk_entries() == plan.bitmaps * plan.ones_bases);
        CHECK(plan.ones().chunk_entries() <= std::size_t{1} << 26);
        CHECK(plan.ones().all_buckets() == bitmaps);
        CHECK(plan.lone_bucket().all_buckets() == 1);
        CHECK(plan.workspace_bytes() <= 40 * gib);
      }
      CHECK(streamed.sum.tables == 1);
    }
  }
}

TEST_CASE("bases for bitmaps have narrower windows than for uniform scalars", "[msm][cuda][plan]") {
  const std::size_t n = std::size_t{1} << 24;
  const auto shape = Msm<G1, Cuda>::shape();
  CHECK(plan_cuda_msm_bitmap_bases(shape, {n, n / 10, 1}, 20 * gib, h200()).window_bits <
        plan_cuda_msm(shape, n, 20 * gib, h200()).window_bits);
}

TEST_CASE("plans for bitmaps shrink with the memory, down to a typed error",
          "[msm][cuda][plan][fault]") {
  const std::size_t n = std::size_t{1} << 22;
  const CudaMsmBitmapSizes sizes{n, n / 10, 4};
  const auto shape = Msm<G1, Cuda>::shape();
  const auto bases = plan_cuda_msm_bitmap_bases(shape, sizes, gib, h200());
  std::size_t bytes = 8 * gib;
  std::size_t planned = 0;
  try {
    for (;; bytes = bytes * 3 / 4, ++planned) {
      const auto plan = plan_cuda_msm_bitmap(bases, sizes, bytes);
      REQUIRE(plan.workspace_bytes() <= bytes);
    }
  } catch (const ResourceExhausted& error) {
    CHECK(std::string(error.what()).find(std::to_string(bytes) + " free") != std::string::npos);
  }
  CHECK(planned > 5);
  planned = 0;
  try {
    for (bytes = 8 * gib;; bytes = bytes * 3 / 4, ++planned) {
      const auto plan = plan_cuda_msm_bitmap_streamed(shape, sizes, bytes, h200());
      REQUIRE(plan.workspace_bytes() <= bytes);
    }
  } catch (const ResourceExhausted& error) {
    CHECK(std::string(error.what()).find(std::to_string(bytes) + " free") != std::string::npos);
  }
  CHECK(planned > 8);
}
