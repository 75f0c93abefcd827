// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/array.hpp>

#include "fields.hpp"
#include "shared.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using Fr = Bls12_381::Fr;
using Fq = Bls12_381::Fq;

constexpr std::size_t run = 256;

/// Of all tests of this program.
const test::Requirement device([]() -> std::string {
  try {
    static_cast<void>(Cuda::devices());
    return {};
  } catch (const Error& error) {
    return std::string("no GPU to test on: ") + error.what();
  }
});

/// The same sums by the plain arithmetic of the host, on all its cores.
template <class Kind>
Array<std::uint64_t> digests_on_host(std::size_t n) {
  Array<std::uint64_t> sums(n);
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w) {
    threads.emplace_back([&sums, w, workers, n] {
      for (std::size_t k = w; k < n; k += workers) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < run; ++i) sum += digest_of_operations<Kind>(k * run + i);
        sums[k] = sum;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return sums;
}

/// `Device`'s arithmetic on the device against `Host`'s on the host, for `pairs` pairs.
template <class Device, class Host>
void check(std::size_t pairs) {
  const Cuda cuda(0);
  const CudaQueue queue = cuda.make_queue();
  const std::size_t n = pairs / run;
  auto sums = cuda.allocate<std::uint64_t>(n);
  digests_on_device<Device>(queue, run, sums.span());
  Array<std::uint64_t> got(n);
  queue.download(DeviceSpan<const std::uint64_t>(sums.span()), std::span<std::uint64_t>(got));
  queue.wait();
  const auto want = digests_on_host<Host>(n);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < n; ++k) wrong += got[k] != want[k] ? 1 : 0;
  INFO(wrong << " of " << n << " runs of " << run << " pairs differ");
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("field operations of the device are the host's for random operands", "[gpu][field]") {
  check<Exact<Fr>, Exact<Fr>>(1u << 20);
  check<Exact<Fq>, Exact<Fq>>(1u << 20);
  check<Lazy<Fq>, Exact<Fq>>(1u << 20);
  check<Squared<Lazy<Fq>>, Squared<Exact<Fq>>>(1u << 18);
}

TEST_CASE("field operations of the device are the host's for 10^8 operands", "[gpu][field][slow]") {
  constexpr std::size_t pairs = 50'000'128;  // two operands each
  check<Exact<Fr>, Exact<Fr>>(pairs);
  check<Exact<Fq>, Exact<Fq>>(pairs);
  check<Lazy<Fq>, Exact<Fq>>(pairs);
  check<Squared<Lazy<Fq>>, Squared<Exact<Fq>>>(pairs / 4);
}
