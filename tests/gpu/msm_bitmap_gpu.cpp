// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/bitmap/bitmap_msm.hpp>

#include "points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;
using Fr = Bls12_381::Fr;

/// Scalars as a bitmap, and as they are.
struct HostBitmap {
  std::vector<std::uint64_t> ones;
  std::vector<std::uint32_t> places;
  std::vector<Fr::Integer> values;
  Array<Fr::Integer> scalars;

  /// Of 100 scalars about `one_of` are one and `wide_of` anything.
  HostBitmap(std::size_t n, unsigned one_of, unsigned wide_of, std::uint64_t seed)
      : ones((n + 63) / 64), scalars(n) {
    std::mt19937_64 random(seed);
    const auto wide = make_scalars(Scalars::uniform, n, seed + 1);
    for (std::size_t i = 0; i < n; ++i) {
      const unsigned draw = static_cast<unsigned>(random() % 100);
      scalars[i] = Fr::Integer::zero();
      if (draw < one_of) {
        ones[i / 64] |= std::uint64_t{1} << (i % 64);
        scalars[i] = Fr::Integer::from_uint64(1);
      } else if (draw < one_of + wide_of) {
        places.push_back(static_cast<std::uint32_t>(i));
        values.push_back(wide[i]);
        scalars[i] = wide[i];
      }
    }
  }
  [[nodiscard]] MsmBitmap<Fr> view() const { return {scalars.size(), ones, places, values}; }
};

/// Distributions of the bitmaps of one case: ones and wide ones of 100.
using Shares = std::vector<std::pair<unsigned, unsigned>>;

template <class G>
struct Case {
  using Affine = typename G::Affine;
  Cuda cuda{0};
  CudaQueue queue = cuda.make_queue();
  CudaFeed feed{cuda};
  std::size_t n;
  CudaBuffer<Affine> points;
  PinnedBuffer<Affine> pinned;
  std::vector<HostBitmap> host;
  std::vector<CudaMsmBitmap<Fr>> bitmaps;
  CudaMsmBitmapSizes sizes;

  /// @param infinite  every such base is at infinity; 0: none
  Case(std::size_t count, const Shares& shares, std::size_t infinite)
      : n(count), points(cuda.allocate<Affine>(n)), pinned(cuda.allocate_pinned<Affine>(n)) {
    make_points<G>(cuda, queue, 2, points.span());
    queue.download(DeviceSpan<const Affine>(points.span()), pinned.span());
    queue.wait();
    for (std::size_t i = 0; infinite != 0 && i < n; i += infinite) {
      pinned.span()[i] = Affine::infinity();
    }
    queue.upload(std::span<const Affine>(pinned.span()), points.span());
    for (const auto& [one, wide] : shares) {
      host.emplace_back(n, one, wide, host.size() + n);
      for (std::size_t i = 0; infinite != 0 && i < n; i += infinite) {
        host.back().scalars[i] = Fr::Integer::zero();
      }
      sizes.wide = std::max(sizes.wide, host.back().places.size());
    }
    for (const auto& bitmap : host) bitmaps.emplace_back(cuda, queue, bitmap.view());
    queue.wait();
    sizes.n = n;
    sizes.bitmaps = host.size();
  }

  template <class Enqueue>
  void check(const CudaMsmBitmapPlan& plan, const Enqueue& enqueue) {
    INFO(to_string(plan));
    auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
    auto results = cuda.allocate<typename G::Jacobian>(host.size());
    enqueue(workspace.span(), results.span());
    std::vector<typename G::Jacobian> sums(host.size());
    queue.download(DeviceSpan<const typename G::Jacobian>(results.span()),
                   std::span<typename G::Jacobian>(sums));
    queue.wait();
    for (std::size_t b = 0; b < host.size(); ++b) {
      INFO("bitmap " << b);
      CHECK(sums[b] ==
            scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()),
                                      combined_logarithm(host[b].scalars, 2).to_integer()));
    }
  }
  void check_resident(std::size_t table_bytes, std::size_t workspace_bytes) {
    const auto shape = Msm<G, Cuda>::shape();
    const CudaMsmBases<G> bases(
        cuda, queue, plan_cuda_msm_bitmap_bases(shape, sizes, table_bytes, cuda.properties()),
        points.span());
    const auto plan = plan_cuda_msm_bitmap(bases.plan(), sizes, workspace_bytes);
    check(plan, [&](auto workspace, auto results) {
      BitmapMsm<G>::enqueue(queue, plan, bitmaps, bases, workspace, results);
    });
  }
  void check_streamed(std::size_t workspace_bytes) {
    const auto plan = plan_cuda_msm_bitmap_streamed(Msm<G, Cuda>::shape(), sizes, workspace_bytes,
                                                    cuda.properties());
    check(plan, [&](auto workspace, auto results) {
      BitmapMsm<G>::enqueue(queue, feed, plan, bitmaps, CudaSource<Affine>(pinned.span()),
                            workspace, results);
    });
  }
};

constexpr std::size_t gib = std::size_t{1} << 30;
const Shares kinds = {{45, 10}, {0, 0}, {100, 0}, {50, 0}, {0, 100}, {0, 5}, {90, 10}};

template <class G>
void check_bitmaps(std::size_t n, const Shares& shares, std::size_t infinite) {
  INFO(n << " bases, every " << infinite << "th at infinity");
  Case<G> at(n, shares, infinite);
  at.check_resident(0, 8 * gib);
  at.check_resident(gib, 8 * gib);
  at.check_streamed(8 * gib);
}

}  // namespace

TEST_CASE("sums with bitmaps are the sums, for every share of ones and wide scalars",
          "[gpu][msm][g1][g2]") {
  for (std::size_t n : {1u, 2u, 63u, 64u, 65u, 1000u, 16384u, 16385u, 65537u}) {
    check_bitmaps<G1>(n, kinds, 0);
    check_bitmaps<G1>(n, kinds, 3);
  }
  for (std::size_t n : {1u, 65u, 20000u}) check_bitmaps<G2>(n, kinds, 5);
  check_bitmaps<G1>(100, {{45, 10}}, 1);  // all at infinity
}

TEST_CASE("sums with bitmaps in little memory are the sums", "[gpu][msm][g1]") {
  Case<G1> at(200000, kinds, 7);
  for (std::size_t mib : {64u, 128u, 512u}) {
    at.check_resident(0, mib << 20);
    at.check_streamed(mib << 20);
  }
}

TEST_CASE("long lists of ones are summed by rounds of pairs", "[gpu][msm][g1][g2]") {
  check_bitmaps<G1>(3000001, {{45, 10}, {100, 0}}, 11);
  check_bitmaps<G2>(1500001, {{90, 1}, {80, 0}}, 0);
}

TEST_CASE("bases that are equal or opposite are added as ones", "[gpu][msm][g1]") {
  const Cuda cuda(0);
  const CudaQueue queue = cuda.make_queue();
  constexpr std::size_t n = 3000000;  // rounds of pairs, of which many are equal or cancel
  std::vector<G1::Affine> points(n);
  std::vector<std::uint64_t> words((n + 63) / 64);
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < n; ++i) {
    points[i] = i % 5 < 3 ? G1::generator() : -G1::generator();
    if (i % 7 == 0) continue;
    words[i / 64] |= std::uint64_t{1} << (i % 64);
    sum = i % 5 < 3 ? sum + Fr::one() : sum - Fr::one();
  }
  const CudaMsmBitmapSizes sizes{n, 0, 1};
  const CudaMsmBases<G1> bases(
      cuda, queue, plan_cuda_msm_bitmap_bases(Msm<G1, Cuda>::shape(), sizes, 0, cuda.properties()),
      std::span<const G1::Affine>(points));
  const auto plan = plan_cuda_msm_bitmap(bases.plan(), sizes, 8 * gib);
  REQUIRE(plan.ones().pair_rounds(n) > 0);
  std::vector<CudaMsmBitmap<Fr>> bitmaps;
  bitmaps.emplace_back(cuda, queue, MsmBitmap<Fr>{n, words, {}, {}});
  auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
  auto result = cuda.allocate<G1::Jacobian>(1);
  BitmapMsm<G1>::enqueue(queue, plan, bitmaps, bases, workspace.span(), result.span());
  G1::Jacobian found;
  queue.download(DeviceSpan<const G1::Jacobian>(result.span()), std::span<G1::Jacobian>(&found, 1));
  queue.wait();
  CHECK(found ==
        scalar_mul_double_and_add(G1::Jacobian::from_affine(G1::generator()), sum.to_integer()));
}

TEST_CASE("small sums with bitmaps, for the sanitizers", "[gpu][msm][g1][g2][sanitize]") {
  check_bitmaps<G1>(1001, {{45, 10}, {90, 0}}, 3);
  check_bitmaps<G2>(130, {{45, 10}}, 3);
}

TEST_CASE("bitmaps that do not fit are refused", "[gpu][msm][fault]") {
  Case<G1> at(1000, {{45, 10}}, 0);
  const CudaMsmBases<G1> bases(
      at.cuda, at.queue, Msm<G1, Cuda>::plan(1000, 0, at.cuda.properties()), at.points.span());
  auto plan = plan_cuda_msm_bitmap(bases.plan(), at.sizes, gib);
  auto workspace = at.cuda.allocate<std::byte>(plan.workspace_bytes());
  auto results = at.cuda.allocate<G1::Jacobian>(2);
  const auto enqueue = [&](std::size_t count, std::size_t bytes) {
    BitmapMsm<G1>::enqueue(at.queue, plan, at.bitmaps, bases, workspace.span().first(bytes),
                           results.span().first(count));
  };
  CHECK_THROWS_AS(enqueue(2, workspace.size()), InvalidArgument);
  CHECK_THROWS_AS(enqueue(1, workspace.size() - 256), InvalidArgument);
  plan.sum.window_bits += 1;
  CHECK_THROWS_AS(enqueue(1, workspace.size()), InvalidArgument);
  auto broken = at.host[0];
  broken.places.push_back(broken.places[0]);
  broken.values.push_back(Fr::Integer::zero());
  CHECK_THROWS_AS(CudaMsmBitmap<Fr>(at.cuda, at.queue, broken.view()), InvalidArgument);
}
