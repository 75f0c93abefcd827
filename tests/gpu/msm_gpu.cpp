// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>

#include "points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

struct Device {
  Cuda cuda{0};
  CudaQueue queue = cuda.make_queue();
};

template <class G>
typename G::Jacobian run(Device& device, const CudaMsmPlan& plan,
                         const Array<Bls12_381::Fr::Integer>& scalars,
                         DeviceSpan<const typename G::Affine> points) {
  const CudaMsmBases<G> bases(device.cuda, device.queue, plan, points);
  auto on_device = device.cuda.allocate<Bls12_381::Fr::Integer>(scalars.size());
  auto workspace = device.cuda.allocate<std::byte>(plan.workspace_bytes());
  auto result = device.cuda.allocate<typename G::Jacobian>(1);
  device.queue.upload(std::span<const Bls12_381::Fr::Integer>(scalars), on_device.span());
  Msm<G, Cuda>::enqueue(device.queue, plan, on_device.span(), bases, workspace.span(),
                        result.span());
  typename G::Jacobian sum;
  device.queue.download(DeviceSpan<const typename G::Jacobian>(result.span()),
                        std::span<typename G::Jacobian>(&sum, 1));
  device.queue.wait();
  return sum;
}

template <class G>
typename G::Jacobian expected(const Array<Bls12_381::Fr::Integer>& scalars, std::uint64_t seed) {
  return scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()),
                                   combined_logarithm(scalars, seed).to_integer());
}

template <class G>
void check(Device& device, std::size_t n, Scalars kind, const CudaMsmPlan& plan) {
  INFO(to_string(plan) << ", scalars of kind " << static_cast<int>(kind));
  auto points = device.cuda.allocate<typename G::Affine>(n);
  make_points<G>(device.cuda, device.queue, n % 5, points.span());
  const auto scalars = make_scalars(kind, n, n + 1);
  CHECK(run<G>(device, plan, scalars, points.span()) == expected<G>(scalars, n % 5));
}

template <class G>
CudaMsmPlan plan_of(Device& device, std::size_t n, std::size_t table_bytes) {
  return Msm<G, Cuda>::plan(n, table_bytes, device.cuda.properties());
}

}  // namespace

TEST_CASE("an MSM on the device is the sum, for every size and distribution", "[gpu][msm][g1]") {
  Device device;
  for (std::size_t n :
       {0u, 1u, 2u, 31u, 32u, 33u, 127u, 128u, 129u, 1000u, 1024u, 65535u, 65536u, 65537u}) {
    check<G1>(device, n, Scalars::uniform, plan_of<G1>(device, n, 0));
    check<G1>(device, n, Scalars::uniform, plan_of<G1>(device, n, std::size_t{1} << 30));
  }
  for (Scalars kind :
       {Scalars::witness, Scalars::ones, Scalars::small, Scalars::top, Scalars::extreme}) {
    for (std::size_t n : {33u, 5000u, 300000u}) {
      check<G1>(device, n, kind, plan_of<G1>(device, n, 0));
      check<G1>(device, n, kind, plan_of<G1>(device, n, std::size_t{4} << 30));
    }
  }
}

TEST_CASE("every window width and number of tables gives the same sum", "[gpu][msm][g1]") {
  Device device;
  constexpr std::size_t n = 3000;
  for (unsigned c = 2; c <= 24; ++c) {
    for (unsigned tables : {1u, 2u, 5u, 1000u}) {
      check<G1>(device, n, Scalars::uniform,
                plan_cuda_msm_with(Msm<G1, Cuda>::shape(), n, c, tables, device.cuda.properties()));
    }
  }
}

TEST_CASE("chunks of bases give the same sum as one", "[gpu][msm][g1]") {
  Device device;
  constexpr std::size_t n = 200000;
  auto plan = plan_of<G1>(device, n, std::size_t{1} << 28);
  for (std::size_t chunk : {n, n - 1, n / 2, n / 7}) {
    plan.chunk_points = chunk;
    check<G1>(device, n, Scalars::uniform, plan);
    check<G1>(device, n, Scalars::witness, plan);
  }
}

TEST_CASE("an MSM over G2 on the device is the sum", "[gpu][msm][g2]") {
  Device device;
  for (std::size_t n : {1u, 33u, 1000u, 65536u}) {
    check<G2>(device, n, Scalars::uniform, plan_of<G2>(device, n, 0));
    check<G2>(device, n, Scalars::witness, plan_of<G2>(device, n, std::size_t{4} << 30));
    check<G2>(device, n, Scalars::extreme, plan_of<G2>(device, n, std::size_t{4} << 30));
  }
}

TEST_CASE("equal, opposite and infinite bases collide in buckets and are summed right",
          "[gpu][msm][g1]") {
  Device device;
  constexpr std::size_t n = 4096;
  Array<G1::Affine> points(n);
  const G1::Affine g = G1::generator();
  Bls12_381::Fr sum = Bls12_381::Fr::zero();
  const auto scalars = make_scalars(Scalars::small, n, 5);
  for (std::size_t i = 0; i < n; ++i) {
    points[i] = i % 3 == 0 ? g : i % 3 == 1 ? -g : G1::Affine::infinity();
    const auto k = Bls12_381::Fr::from_integer(scalars[i]);
    if (i % 3 == 0) sum += k;
    if (i % 3 == 1) sum -= k;
  }
  auto on_device = device.cuda.allocate<G1::Affine>(n);
  device.queue.upload(std::span<const G1::Affine>(points), on_device.span());
  for (std::size_t table_bytes : {std::size_t{0}, std::size_t{1} << 30}) {
    CHECK(run<G1>(device, plan_of<G1>(device, n, table_bytes), scalars, on_device.span()) ==
          scalar_mul_double_and_add(G1::Jacobian::from_affine(g), sum.to_integer()));
  }
}

/// A plan with rounds of affine pairs in several lists, small enough for any test.
template <class G>
CudaMsmPlan plan_with_rounds(std::size_t n, std::size_t chunk_points) {
  DeviceProperties machine;
  machine.compute_units = 1;
  auto plan = plan_cuda_msm_with(Msm<G, Cuda>::shape(), n, 8, 1000, machine);
  plan.counted_entries = 1;
  plan.pair_entries = 3 << 13;
  plan.chunk_points = chunk_points;
  return plan;
}

template <class G>
void check_rounds(Device& device, std::size_t n, Scalars kind, std::size_t chunk_points) {
  const auto plan = plan_with_rounds<G>(n, chunk_points);
  REQUIRE(plan.pair_rounds(plan.chunk_entries()) >= 2);
  check<G>(device, n, kind, plan);
}

TEST_CASE("rounds of affine pairs give the sum in several lists and chunks", "[gpu][msm][g1][g2]") {
  Device device;
  for (Scalars kind : {Scalars::uniform, Scalars::witness, Scalars::ones, Scalars::small,
                       Scalars::top, Scalars::extreme}) {
    for (std::size_t chunk : {4001u, 2000u, 1900u}) check_rounds<G1>(device, 4001, kind, chunk);
    check_rounds<G2>(device, 3001, kind, 3001);
    check_rounds<G2>(device, 3001, kind, 1600);
  }
}

TEST_CASE("rounds of affine pairs sum equal, opposite and infinite bases", "[gpu][msm][g1]") {
  Device device;
  constexpr std::size_t n = 4001;
  Array<G1::Affine> points(n);
  const G1::Affine g = G1::generator();
  Bls12_381::Fr sum = Bls12_381::Fr::zero();
  const auto scalars = make_scalars(Scalars::uniform, n, 6);
  for (std::size_t i = 0; i < n; ++i) {
    points[i] = i % 4 == 0 ? -g : i % 4 == 1 ? G1::Affine::infinity() : g;
    const auto k = Bls12_381::Fr::from_integer(scalars[i]);
    if (i % 4 == 0) sum -= k;
    if (i % 4 > 1) sum += k;
  }
  auto on_device = device.cuda.allocate<G1::Affine>(n);
  device.queue.upload(std::span<const G1::Affine>(points), on_device.span());
  CHECK(run<G1>(device, plan_with_rounds<G1>(n, n), scalars, on_device.span()) ==
        scalar_mul_double_and_add(G1::Jacobian::from_affine(g), sum.to_integer()));
}

TEST_CASE("small MSMs, for the sanitizers", "[gpu][msm][g1][g2][sanitize]") {
  Device device;
  check_rounds<G1>(device, 2000, Scalars::uniform, 2000);
  check_rounds<G1>(device, 2000, Scalars::small, 1600);
  check_rounds<G2>(device, 1700, Scalars::uniform, 1700);
  for (std::size_t n : {33u, 200u, 1000u}) {
    check<G1>(device, n, Scalars::uniform, plan_of<G1>(device, n, n % 2 == 0 ? 0 : 1 << 28));
    check<G1>(device, n, Scalars::ones, plan_of<G1>(device, n, 0));
  }
  check<G2>(device, 33, Scalars::uniform, plan_of<G2>(device, 33, 1 << 28));
}

TEST_CASE("large MSMs on the device are the sum", "[gpu][msm][g1][slow]") {
  Device device;
  for (unsigned log_n : {20u, 22u}) {
    const std::size_t n = (std::size_t{1} << log_n) + 1;
    check<G1>(device, n, Scalars::uniform, plan_of<G1>(device, n, std::size_t{40} << 30));
    check<G1>(device, n, Scalars::witness, plan_of<G1>(device, n, 0));
  }
}

TEST_CASE("an MSM that does not fit its plan is refused", "[gpu][msm]") {
  Device device;
  const auto plan = plan_of<G1>(device, 100, 0);
  auto points = device.cuda.allocate<G1::Affine>(100);
  make_points<G1>(device.cuda, device.queue, 1, points.span());
  CHECK_THROWS_AS(CudaMsmBases<G1>(device.cuda, device.queue, plan, points.span().first(99)),
                  InvalidArgument);
  const CudaMsmBases<G1> bases(device.cuda, device.queue, plan, points.span());
  auto scalars = device.cuda.allocate<Bls12_381::Fr::Integer>(100);
  auto result = device.cuda.allocate<G1::Jacobian>(1);
  auto workspace = device.cuda.allocate<std::byte>(plan.workspace_bytes());
  using Op = Msm<G1, Cuda>;
  CHECK_THROWS_AS(Op::enqueue(device.queue, plan, scalars.span().first(99), bases, workspace.span(),
                              result.span()),
                  InvalidArgument);
  CHECK_THROWS_AS(Op::enqueue(device.queue, plan, scalars.span(), bases, workspace.span().first(10),
                              result.span()),
                  InvalidArgument);
}
