// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/cuda.hpp>

#include "agreement/at_point.hpp"

namespace {

using zkgpu::Array;
using zkgpu::Cuda;
using zkgpu::DeviceSpan;
using zkgpu::NttDirection;
using zkgpu::NttOrder;
using Fr = zkgpu::Bls12_381::Fr;
using Op = zkgpu::Ntt<Fr, Cuda>;

using zkgpu::gpu_test::reversed_bits;

Fr random_element(std::mt19937_64& random) {
  Fr::Integer n{};
  for (auto& limb : n.limb) limb = random();
  while (!Fr::is_canonical(n)) n = zkgpu::shift_right(n, 1);
  return Fr::from_montgomery(n);
}

/// x to its values at shift·root^i, natural order both ways, in place; the textbook's loops.
void transform(Array<Fr>& x, Fr root, const Fr& shift, unsigned log_n) {
  Fr power = Fr::one();
  for (auto& v : x) v *= power, power *= shift;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t j = reversed_bits(i, log_n);
    if (j > i) std::swap(x[i], x[j]);
  }
  for (unsigned s = 0; s < log_n; ++s) {
    Fr step = root;
    for (unsigned k = s + 1; k < log_n; ++k) step = step.square();
    const std::size_t half = std::size_t{1} << s;
    Array<Fr> w(half);
    w[0] = Fr::one();
    for (std::size_t j = 1; j < half; ++j) w[j] = w[j - 1] * step;
    for (std::size_t block = 0; block < x.size(); block += 2 * half) {
      for (std::size_t j = 0; j < half; ++j) {
        const Fr t = x[block + j + half] * w[j];
        x[block + j + half] = x[block + j] - t;
        x[block + j] += t;
      }
    }
  }
}

struct Device {
  Cuda cuda{0};
  zkgpu::CudaQueue queue = cuda.make_queue();

  Array<Fr> run(const zkgpu::CudaNttTwiddles<Fr>& twiddles,
                const zkgpu::NttTransform<Fr>& transform, const Array<Fr>& values) {
    const auto plan = Op::plan_coset(twiddles.domain().log_n, cuda.properties());
    auto device = cuda.allocate<Fr>(values.size());
    auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
    queue.upload(std::span<const Fr>(values), device.span());
    Op::enqueue(queue, plan, twiddles, transform, device.span(), workspace.span());
    Array<Fr> result(values.size());
    queue.download(DeviceSpan<const Fr>(device.span()), std::span<Fr>(result));
    queue.wait();
    return result;
  }
};

Array<Fr> reversed(const Array<Fr>& x, unsigned log_n) {
  Array<Fr> r(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) r[reversed_bits(i, log_n)] = x[i];
  return r;
}

}  // namespace

TEST_CASE("transforms on the device are the textbook's, in every order, on cosets and back",
          "[gpu][ntt][fr][oracle]") {
  Device device;
  std::mt19937_64 random(31);
  for (unsigned log_n = 0; log_n <= 21; ++log_n) {
    INFO("2^" << log_n);
    const zkgpu::NttDomain<Fr> domain = zkgpu::NttDomain<Fr>::from_generator(log_n, Fr(7));
    const zkgpu::CudaNttTwiddles<Fr> twiddles(device.cuda, device.queue, domain);
    Array<Fr> x(domain.size());
    for (auto& v : x) v = random() % 16 == 0 ? -Fr::one() : random_element(random);
    for (const Fr& shift : {Fr::one(), Fr(5)}) {
      Array<Fr> y = x;
      transform(y, domain.root, shift, log_n);
      const Array<Fr> xr = reversed(x, log_n);
      const Array<Fr> yr = reversed(y, log_n);
      constexpr auto forward = NttDirection::forward;
      constexpr auto inverse = NttDirection::inverse;
      CHECK(device.run(twiddles, {forward, NttOrder::natural_to_natural, shift}, x) == y);
      CHECK(device.run(twiddles, {forward, NttOrder::natural_to_reversed, shift}, x) == yr);
      CHECK(device.run(twiddles, {forward, NttOrder::reversed_to_natural, shift}, xr) == y);
      CHECK(device.run(twiddles, {inverse, NttOrder::natural_to_natural, shift}, y) == x);
      CHECK(device.run(twiddles, {inverse, NttOrder::natural_to_reversed, shift}, y) == xr);
      CHECK(device.run(twiddles, {inverse, NttOrder::reversed_to_natural, shift}, yr) == x);
    }
  }
}

TEST_CASE("small transforms, for the sanitizers", "[gpu][ntt][fr][sanitize]") {
  Device device;
  std::mt19937_64 random(33);
  for (unsigned log_n : {5u, 12u, 15u, 17u}) {
    const zkgpu::NttDomain<Fr> domain(log_n);
    const zkgpu::CudaNttTwiddles<Fr> twiddles(device.cuda, device.queue, domain);
    Array<Fr> x(domain.size());
    for (auto& v : x) v = random_element(random);
    const auto forward =
        device.run(twiddles, {NttDirection::forward, NttOrder::natural_to_reversed, Fr(3)}, x);
    CHECK(device.run(twiddles, {NttDirection::inverse, NttOrder::reversed_to_natural, Fr(3)},
                     forward) == x);
  }
}

TEST_CASE("several transforms in one call equal one after the other", "[gpu][ntt][fr]") {
  Device device;
  std::mt19937_64 random(32);
  for (unsigned log_n : {5u, 13u, 19u}) {
    const zkgpu::NttDomain<Fr> domain(log_n);
    const zkgpu::CudaNttTwiddles<Fr> twiddles(device.cuda, device.queue, domain);
    const zkgpu::NttTransform<Fr> coset{NttDirection::forward, NttOrder::natural_to_reversed,
                                        Fr(7)};
    Array<Fr> all;
    Array<Fr> expected;
    for (int k = 0; k < 3; ++k) {
      Array<Fr> x(domain.size());
      for (auto& v : x) v = random_element(random);
      all.insert(all.end(), x.begin(), x.end());
      const Array<Fr> y = device.run(twiddles, coset, x);
      expected.insert(expected.end(), y.begin(), y.end());
    }
    CHECK(device.run(twiddles, coset, all) == expected);
  }
}

TEST_CASE("large transforms of random elements are right at a random point, and go back",
          "[gpu][ntt][fr][slow][oracle]") {
  using zkgpu::gpu_test::equal, zkgpu::gpu_test::evaluate, zkgpu::gpu_test::interpolate_at;
  using zkgpu::gpu_test::operand, zkgpu::gpu_test::random_elements;
  Device device;
  for (unsigned log_n = 22; log_n <= 28; ++log_n) {
    INFO("2^" << log_n);
    const auto domain = zkgpu::NttDomain<Fr>::from_generator(log_n, Fr(log_n % 2 == 0 ? 7 : 5));
    const zkgpu::CudaNttTwiddles<Fr> twiddles(device.cuda, device.queue, domain);
    const auto values = random_elements(domain.size(), log_n);
    const Fr shift = operand<Fr>(7000 + log_n);
    const Fr x = operand<Fr>(8000 + log_n);
    const Fr expected = evaluate(values, x);
    {
      const auto on_coset = device.run(
          twiddles, {NttDirection::forward, NttOrder::natural_to_reversed, shift}, values);
      CHECK(interpolate_at(domain, x * shift.inverse(), [&](std::size_t i) {
              return on_coset[reversed_bits(i, log_n)];
            }) == expected);
      CHECK(
          equal(device.run(twiddles, {NttDirection::inverse, NttOrder::reversed_to_natural, shift},
                           on_coset),
                values));
    }
    if (log_n < 27) continue;  // for these the other orders are compared with the CPU's
    const auto in_order = device.run(
        twiddles, {NttDirection::forward, NttOrder::natural_to_natural, Fr::one()}, values);
    CHECK(interpolate_at(domain, x, [&](std::size_t i) { return in_order[i]; }) == expected);
  }
}

TEST_CASE("what does not fit a plan is refused", "[gpu][ntt]") {
  Device device;
  const zkgpu::CudaNttTwiddles<Fr> twiddles(device.cuda, device.queue, zkgpu::NttDomain<Fr>(12));
  auto values = device.cuda.allocate<Fr>(4096);
  const auto plan = Op::plan(12, device.cuda.properties());
  zkgpu::NttTransform<Fr> transform;
  CHECK_THROWS_AS(
      Op::enqueue(device.queue, plan, twiddles, transform, values.span().first(4095), {}),
      zkgpu::InvalidArgument);
  transform.shift = Fr::zero();
  CHECK_THROWS_AS(Op::enqueue(device.queue, plan, twiddles, transform, values.span(), {}),
                  zkgpu::InvalidArgument);
  transform.shift = Fr(3);  // without a workspace
  CHECK_THROWS_AS(Op::enqueue(device.queue, plan, twiddles, transform, values.span(), {}),
                  zkgpu::InvalidArgument);
  CHECK_THROWS_AS(Op::plan(33, device.cuda.properties()), zkgpu::InvalidArgument);
}
