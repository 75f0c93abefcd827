// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/msm/cuda/bitmap/bitmap_msm.hpp>
#include <zkgpu/msm/cuda/streamed/streamed_msm.hpp>

#include "../../msm/msm_cases.hpp"
#include "both.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using test::KnownBases;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

constexpr std::size_t gib = std::size_t{1} << 30;
constexpr unsigned uniform = 0, all_one = 2, mostly_zero_or_one = 8, heavy_bucket = 14,
                   zero_and_one = 16;

/// Half of them where bits or points say nothing: at infinity, or equal.
template <class G>
KnownBases<G> mixed_bases(std::size_t n, std::mt19937_64& random) {
  KnownBases<G> bases(n, random);
  for (std::size_t i = 1; i < n; ++i) {
    if (i % 11 == 0) bases.set_infinity(i);
    if (i % 13 == 0) bases.copy(i, i - 1, i % 2 == 0);
  }
  return bases;
}

template <class G>
struct Streamed {
  using Affine = typename G::Affine;
  Device device;
  std::mt19937_64 random;
  KnownBases<G> bases;

  Streamed(std::size_t n, std::uint64_t seed) : random(seed), bases(mixed_bases<G>(n, random)) {}

  /// Chunks of up to `chunk` points through a feed of `threads`, for every kind of scalars that
  /// fills buckets otherwise.
  void check(unsigned threads, std::size_t chunk, std::size_t first) {
    const CudaFeed feed(device.cuda, threads);
    auto plan = StreamedMsm<G>::plan(bases.size(), 8 * gib, device.cuda.properties());
    plan.sum.chunk_points = chunk;
    plan.first_points = first;
    INFO(threads << " threads, " << to_string(plan));
    const CudaMsmBases<G> resident(device.cuda, device.queue,
                                   Msm<G, Cuda>::plan(bases.size(), gib, device.cuda.properties()),
                                   CudaSource<Affine>(bases.bases()));
    auto over = plan_cuda_msm_scalars(resident.plan(), 8 * gib);
    over.sum.chunk_points = chunk;
    over.first_points = first;
    for (unsigned kind : {uniform, mostly_zero_or_one, heavy_bucket, zero_and_one}) {
      INFO(test::scalar_kind_name(kind));
      const auto scalars = test::make_scalars<Fr>(kind, bases.size(), random);
      const auto on_cpu = sum_on_cpu<G>(scalars, bases.bases());
      CHECK(on_cpu == bases.expected(scalars));
      const CudaSource<Integer> integers = std::span<const Integer>(scalars);
      CHECK(sum_of<G>(device, plan.workspace_bytes(), [&](auto workspace, auto result) {
              StreamedMsm<G>::enqueue(device.queue, feed, plan, integers,
                                      CudaSource<Affine>(bases.bases()), workspace, result);
            }) == on_cpu);
      CHECK(sum_of<G>(device, over.workspace_bytes(), [&](auto workspace, auto result) {
              StreamedMsm<G>::enqueue(device.queue, feed, over, integers, resident, workspace,
                                      result);
            }) == on_cpu);
    }
  }
};

/// Scalars as a bitmap with the wide ones beside it.
struct HostBitmap {
  Integers scalars;
  std::vector<std::uint64_t> ones;
  std::vector<std::uint32_t> places;
  Integers values;

  explicit HostBitmap(Integers all) : scalars(std::move(all)), ones((scalars.size() + 63) / 64) {
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      if (scalars[i] == Integer::from_uint64(1)) {
        ones[i / 64] |= std::uint64_t{1} << (i % 64);
      } else if (!scalars[i].is_zero()) {
        places.push_back(static_cast<std::uint32_t>(i));
        values.push_back(scalars[i]);
      }
    }
  }
  [[nodiscard]] MsmBitmap<Fr> view() const { return {scalars.size(), ones, places, values}; }
};

template <class G>
typename G::Jacobian bitmap_on_cpu(const HostBitmap& bitmap,
                                   std::span<const typename G::Affine> bases) {
  return with_best_cpu([&](auto cpu) {
    using Op = Msm<G, decltype(cpu)>;
    const auto plan = Op::plan(bases.size(), cpu.properties());
    auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
    auto queue = cpu.make_queue();
    auto sum = G::Jacobian::infinity();
    Op::enqueue(queue, plan, bitmap.view(), bases, workspace.span(), sum);
    return sum;
  });
}

template <class G>
struct Bitmaps {
  using Affine = typename G::Affine;
  Device device;
  KnownBases<G> bases;
  std::vector<typename G::Jacobian> on_cpu;
  std::vector<CudaMsmBitmap<Fr>> bitmaps;
  CudaMsmBitmapSizes sizes;

  Bitmaps(std::size_t n, std::mt19937_64& random) : bases(mixed_bases<G>(n, random)) {
    for (unsigned kind : {mostly_zero_or_one, uniform, zero_and_one, all_one, heavy_bucket}) {
      const HostBitmap host(test::make_scalars<Fr>(kind, n, random));
      on_cpu.push_back(bitmap_on_cpu<G>(host, bases.bases()));
      CHECK(on_cpu.back() == bases.expected(host.scalars));
      bitmaps.emplace_back(device.cuda, device.queue, host.view());
      device.queue.wait();
      sizes.wide = std::max(sizes.wide, host.places.size());
    }
    sizes.n = n;
    sizes.bitmaps = bitmaps.size();
  }

  template <class Enqueue>
  void check(const CudaMsmBitmapPlan& plan, const Enqueue& enqueue) {
    INFO(to_string(plan));
    auto workspace = device.cuda.allocate<std::byte>(plan.workspace_bytes());
    auto results = device.cuda.allocate<typename G::Jacobian>(bitmaps.size());
    enqueue(workspace.span(), results.span());
    CHECK(download(device, DeviceSpan<const typename G::Jacobian>(results.span())) == on_cpu);
  }
  void check_resident(std::size_t table_bytes, std::size_t workspace_bytes) {
    const auto machine = device.cuda.properties();
    const CudaMsmBases<G> tables(
        device.cuda, device.queue,
        plan_cuda_msm_bitmap_bases(Msm<G, Cuda>::shape(), sizes, table_bytes, machine),
        CudaSource<Affine>(bases.bases()));
    const auto plan = plan_cuda_msm_bitmap(tables.plan(), sizes, workspace_bytes);
    check(plan, [&](auto workspace, auto results) {
      BitmapMsm<G>::enqueue(device.queue, plan, bitmaps, tables, workspace, results);
    });
  }
  /// The bases in pageable memory.
  void check_streamed(std::size_t workspace_bytes) {
    const CudaFeed feed(device.cuda);
    const auto plan = plan_cuda_msm_bitmap_streamed(Msm<G, Cuda>::shape(), sizes, workspace_bytes,
                                                    device.cuda.properties());
    check(plan, [&](auto workspace, auto results) {
      BitmapMsm<G>::enqueue(device.queue, feed, plan, bitmaps, CudaSource<Affine>(bases.bases()),
                            workspace, results);
    });
  }
  void check_all() {
    check_resident(0, 8 * gib);
    check_resident(gib, 8 * gib);
    check_streamed(8 * gib);
  }
};

}  // namespace

TEST_CASE("sums over pageable operands are the CPU's, whatever the chunks and threads",
          "[gpu][msm][g1][g2][agreement]") {
  Streamed<G1> g1(400009, 201);
  g1.check(1, 70000, 30000);
  g1.check(3, 150001, 30000);
  g1.check(16, 400009, 400009);
  Streamed<G2> g2(100003, 202);
  g2.check(2, 40000, 12000);
  g2.check(0, 25000, 25000);
}

TEST_CASE("several bitmaps over one pass of bases give the CPU's sums",
          "[gpu][msm][g1][g2][agreement]") {
  std::mt19937_64 random(203);
  for (const std::size_t n : {1u, 64u, 1000u, 65537u, 300001u}) Bitmaps<G1>(n, random).check_all();
  for (const std::size_t n : {33u, 40009u}) Bitmaps<G2>(n, random).check_all();
}

TEST_CASE("bitmaps in little memory, with bases in many turns, give the CPU's sums",
          "[gpu][msm][g1][agreement]") {
  std::mt19937_64 random(204);
  Bitmaps<G1> at(300007, random);
  for (const std::size_t mib : {64u, 200u}) {
    at.check_resident(0, mib << 20);
    at.check_streamed(mib << 20);
  }
}
