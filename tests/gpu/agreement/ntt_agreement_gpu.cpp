// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <cstdint>
#include <span>

#include <catch2/catch.hpp>

#include <zkgpu/ntt/cuda.hpp>
#include <zkgpu/ntt/ntt.hpp>

#include "at_point.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using Op = Ntt<Fr, Cuda>;
constexpr auto forward = NttDirection::forward;
constexpr auto inverse = NttDirection::inverse;
constexpr auto natural_to_natural = NttOrder::natural_to_natural;
constexpr auto natural_to_reversed = NttOrder::natural_to_reversed;
constexpr auto reversed_to_natural = NttOrder::reversed_to_natural;

/// Transforms over one domain, by the device and by the CPU.
struct Transforms {
  Device device;
  NttDomain<Fr> domain;
  CudaNttTwiddles<Fr> on_device{device.cuda, device.queue, domain};
  CudaNttPlan plan = Op::plan_coset(domain.log_n, device.cuda.properties());
  CudaBuffer<std::byte> workspace = device.cuda.allocate<std::byte>(plan.workspace_bytes());

  /// Odd sizes by another root than even ones.
  explicit Transforms(unsigned log_n)
      : domain(NttDomain<Fr>::from_generator(log_n, Fr(log_n % 2 == 0 ? 7 : 5))) {}

  Array<Fr> by_device(const NttTransform<Fr>& transform, const Array<Fr>& values) {
    auto memory = device.cuda.allocate<Fr>(values.size());
    device.queue.upload(std::span<const Fr>(values), memory.span());
    Op::enqueue(device.queue, plan, on_device, transform, memory.span(), workspace.span());
    Array<Fr> result(values.size());
    device.queue.download(DeviceSpan<const Fr>(memory.span()), std::span<Fr>(result));
    device.queue.wait();
    return result;
  }
  static Array<Fr> by_cpu(const NttTwiddles<Fr>& twiddles, const NttTransform<Fr>& transform,
                          Array<Fr> values) {
    with_best_cpu([&](auto cpu) {
      using CpuOp = Ntt<Fr, decltype(cpu)>;
      auto queue = cpu.make_queue();
      CpuOp::enqueue_batch(queue, CpuOp::plan(twiddles.domain().log_n, cpu.properties()), twiddles,
                           transform, std::span<Fr>(values));
    });
    return values;
  }
};

}  // namespace

TEST_CASE("transforms are the CPU's in every direction and order, on cosets and in batches",
          "[gpu][ntt][fr][agreement]") {
  for (unsigned log_n = 0; log_n <= 22; ++log_n) {
    INFO("2^" << log_n);
    Transforms both(log_n);
    const NttTwiddles<Fr> twiddles(both.domain);
    const std::size_t batch = log_n <= 19 ? 3 : log_n == 20 ? 2 : 1;
    const auto values = random_elements(batch * both.domain.size(), log_n);
    for (const Fr& shift : {Fr::one(), operand<Fr>(7000 + log_n)}) {
      for (const auto direction : {forward, inverse}) {
        for (const auto order : {natural_to_natural, natural_to_reversed, reversed_to_natural}) {
          const NttTransform<Fr> transform{direction, order, shift};
          INFO("direction " << static_cast<int>(direction) << ", order " << static_cast<int>(order)
                            << ", coset " << !(shift == Fr::one()));
          CHECK(equal(both.by_device(transform, values),
                      Transforms::by_cpu(twiddles, transform, values)));
        }
      }
    }
  }
}

TEST_CASE("transforms of up to 2^26 random elements are the CPU's",
          "[gpu][ntt][fr][slow][agreement]") {
  for (unsigned log_n = 23; log_n <= 26; ++log_n) {
    INFO("2^" << log_n);
    Transforms both(log_n);
    const NttTwiddles<Fr> twiddles(both.domain);
    const auto values = random_elements(both.domain.size(), log_n);
    const Fr shift = operand<Fr>(7000 + log_n);
    for (const NttTransform<Fr>& transform :
         {NttTransform<Fr>{forward, natural_to_reversed, shift},
          NttTransform<Fr>{inverse, reversed_to_natural, shift},
          NttTransform<Fr>{forward, natural_to_natural, Fr::one()}}) {
      CHECK(equal(both.by_device(transform, values),
                  Transforms::by_cpu(twiddles, transform, values)));
    }
  }
}
