// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/streamed/streamed_msm.hpp>

#include "points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;
using Integer = Bls12_381::Fr::Integer;

/// Points and scalars wherever a sum may find them, and what they sum to.
template <class G>
struct Operands {
  Cuda cuda{0};
  CudaQueue queue = cuda.make_queue();
  CudaFeed feed{cuda};
  std::size_t n;
  CudaBuffer<typename G::Affine> device_points;
  CudaBuffer<Integer> device_scalars;
  PinnedBuffer<typename G::Affine> pinned_points;
  PinnedBuffer<Integer> pinned_scalars;
  std::vector<typename G::Affine> pageable_points;
  std::vector<Integer> pageable_scalars;
  typename G::Jacobian expected;

  Operands(std::size_t count, Scalars kind)
      : n(count),
        device_points(cuda.allocate<typename G::Affine>(n)),
        device_scalars(cuda.allocate<Integer>(n)),
        pinned_points(cuda.allocate_pinned<typename G::Affine>(n)),
        pinned_scalars(cuda.allocate_pinned<Integer>(n)),
        pageable_points(n),
        pageable_scalars(n) {
    make_points<G>(cuda, queue, 3, device_points.span());
    const auto scalars = make_scalars(kind, n, n + 2);
    std::copy(scalars.begin(), scalars.end(), pinned_scalars.span().begin());
    std::copy(scalars.begin(), scalars.end(), pageable_scalars.begin());
    queue.upload(std::span<const Integer>(scalars), device_scalars.span());
    queue.download(DeviceSpan<const typename G::Affine>(device_points.span()),
                   pinned_points.span());
    queue.wait();
    std::copy(pinned_points.span().begin(), pinned_points.span().end(), pageable_points.begin());
    expected = scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()),
                                         combined_logarithm(scalars, 3).to_integer());
  }

  template <class Bases>
  void check(const CudaMsmStreamPlan& plan, CudaSource<Integer> scalars, const Bases& bases) {
    INFO(to_string(plan));
    auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
    auto result = cuda.allocate<typename G::Jacobian>(1);
    StreamedMsm<G>::enqueue(queue, feed, plan, scalars, bases, workspace.span(), result.span());
    typename G::Jacobian sum;
    queue.download(DeviceSpan<const typename G::Jacobian>(result.span()),
                   std::span<typename G::Jacobian>(&sum, 1));
    queue.wait();
    CHECK(sum == expected);
  }
};

template <class G>
CudaMsmStreamPlan plan_in_chunks(Operands<G>& at, std::size_t chunk, std::size_t first) {
  auto plan = StreamedMsm<G>::plan(at.n, std::size_t{8} << 30, at.cuda.properties());
  plan.sum.chunk_points = std::min(chunk, at.n);
  plan.first_points = std::min(first, plan.sum.chunk_points);
  return plan;
}

template <class G>
void check_places(std::size_t n, Scalars kind, std::size_t chunk, std::size_t first) {
  using Affine = typename G::Affine;
  Operands<G> at(n, kind);
  const CudaSource<Integer> scalars[] = {at.device_scalars.span(), at.pinned_scalars.span(),
                                         std::span<const Integer>(at.pageable_scalars)};
  const CudaSource<Affine> bases[] = {at.device_points.span(), at.pinned_points.span(),
                                      std::span<const Affine>(at.pageable_points)};
  const auto plan = plan_in_chunks<G>(at, chunk, first);
  for (const auto& k : scalars) {
    for (const auto& p : bases) at.check(plan, k, p);
  }
  for (std::size_t table_bytes : {std::size_t{0}, std::size_t{1} << 28}) {
    const auto resident = Msm<G, Cuda>::plan(n, table_bytes, at.cuda.properties());
    const CudaMsmBases<G> tables(at.cuda, at.queue, resident, bases[2]);
    auto over = plan_cuda_msm_scalars(resident, std::size_t{8} << 30);
    for (const auto& k : scalars) at.check(over, k, tables);
    over.sum.chunk_points = std::min(chunk, n);
    over.first_points = first;
    for (const auto& k : scalars) at.check(over, k, tables);
  }
}

}  // namespace

TEST_CASE("scalars and bases may be on the device, in pinned and in pageable memory",
          "[gpu][msm][g1][g2]") {
  for (std::size_t n : {1u, 33u, 1000u, 65537u}) {
    check_places<G1>(n, Scalars::uniform, n, n);
    check_places<G1>(n, Scalars::extreme, n / 3 + 1, n / 10 + 1);
    check_places<G1>(n, Scalars::witness, n / 2 + 1, 1);
  }
  check_places<G2>(3000, Scalars::uniform, 700, 300);
}

TEST_CASE("a streamed sum in large chunks with rounds of pairs is the sum", "[gpu][msm][g1]") {
  for (Scalars kind : {Scalars::uniform, Scalars::witness, Scalars::ones}) {
    check_places<G1>(1000003, kind, 400000, 150000);
  }
}

TEST_CASE("streamed sums of one queue may share a workspace without waits in between",
          "[gpu][msm][g1]") {
  Operands<G1> at(50000, Scalars::uniform);
  const auto resident = Msm<G1, Cuda>::plan(at.n, 0, at.cuda.properties());
  const CudaMsmBases<G1> bases(at.cuda, at.queue, resident, at.device_points.span());
  const auto slots = plan_in_chunks<G1>(at, 9000, 3000);
  auto scalars = plan_cuda_msm_scalars(resident, std::size_t{8} << 30);
  auto workspace = at.cuda.allocate<std::byte>(
      std::max({resident.workspace_bytes(), slots.workspace_bytes(), scalars.workspace_bytes()}));
  constexpr std::size_t sums = 9;
  auto results = at.cuda.allocate<G1::Jacobian>(sums);
  const CudaSource<Integer> pinned = at.pinned_scalars.span();
  for (std::size_t i = 0; i < sums; ++i) {
    const auto result = results.span().subspan(i, 1);
    scalars.sum.chunk_points = at.n / (1 + i / 3);
    scalars.first_points = scalars.sum.chunk_points;
    if (i % 3 == 0) {
      StreamedMsm<G1>::enqueue(at.queue, at.feed, slots, pinned,
                               CudaSource<G1::Affine>(at.pinned_points.span()), workspace.span(),
                               result);
    } else if (i % 3 == 1 && scalars.workspace_bytes() <= workspace.size()) {
      StreamedMsm<G1>::enqueue(at.queue, at.feed, scalars, pinned, bases, workspace.span(), result);
    } else {
      Msm<G1, Cuda>::enqueue(at.queue, resident, at.device_scalars.span(), bases, workspace.span(),
                             result);
    }
  }
  std::vector<G1::Jacobian> found(sums);
  at.queue.download(DeviceSpan<const G1::Jacobian>(results.span()), std::span<G1::Jacobian>(found));
  at.queue.wait();
  for (const auto& sum : found) CHECK(sum == at.expected);
}

TEST_CASE("an operation that fails in any of its turns leaves the feed as it was",
          "[gpu][msm][fault]") {
  Operands<G1> at(200000, Scalars::uniform);  // of 2 MiB a turn: through the ring
  const auto plan = plan_in_chunks<G1>(at, 60000, 30000);
  const CudaSource<Integer> pageable = std::span<const Integer>(at.pageable_scalars);
  const CudaSource<G1::Affine> bases = std::span<const G1::Affine>(at.pageable_points);
  auto slots = at.cuda.allocate<G1::Affine>(2 * 50000);
  for (std::size_t fails = 0; fails < 4; ++fails) {
    for (bool in_fetch : {false, true}) {
      const auto throw_at = [fails](std::size_t turn) {
        if (turn == fails) throw InvalidArgument("the turn that fails");
      };
      CHECK_THROWS_AS(at.feed.run(
                          at.queue, 4,
                          [&](std::size_t turn) {
                            at.feed.copy(bases.part(50000 * turn, 50000),
                                         slots.span().subspan(turn % 2 * 50000, 50000));
                            if (in_fetch) throw_at(turn);
                          },
                          [&](std::size_t turn) {
                            if (!in_fetch) throw_at(turn);
                          }),
                      InvalidArgument);
      at.check(plan, pageable, bases);
    }
  }
}

TEST_CASE("a streamed sum of nothing is infinity", "[gpu][msm][edge]") {
  Operands<G1> at(0, Scalars::uniform);
  at.check(StreamedMsm<G1>::plan(0, 0, at.cuda.properties()), CudaSource<Integer>(),
           CudaSource<G1::Affine>());
}

TEST_CASE("small streamed sums, for the sanitizers", "[gpu][msm][g1][g2][sanitize]") {
  check_places<G1>(1000, Scalars::uniform, 300, 100);
  check_places<G2>(100, Scalars::witness, 50, 20);
}

TEST_CASE("a streamed sum that does not fit its plan is refused, and the next one works",
          "[gpu][msm][fault]") {
  Operands<G1> at(500, Scalars::uniform);
  const auto plan = plan_in_chunks<G1>(at, 200, 100);
  auto workspace = at.cuda.allocate<std::byte>(plan.workspace_bytes());
  auto result = at.cuda.allocate<G1::Jacobian>(1);
  const CudaSource<Integer> scalars = at.pinned_scalars.span();
  const CudaSource<G1::Affine> bases = at.pinned_points.span();
  const auto enqueue = [&](CudaSource<Integer> k, CudaSource<G1::Affine> p, std::size_t bytes) {
    StreamedMsm<G1>::enqueue(at.queue, at.feed, plan, k, p, workspace.span().first(bytes),
                             result.span());
  };
  CHECK_THROWS_AS(enqueue(at.pinned_scalars.span().first(499), bases, workspace.size()),
                  InvalidArgument);
  CHECK_THROWS_AS(enqueue(scalars, at.pinned_points.span().first(1), workspace.size()),
                  InvalidArgument);
  CHECK_THROWS_AS(enqueue(scalars, bases, workspace.size() - 1), InvalidArgument);
  at.check(plan, scalars, bases);
}
