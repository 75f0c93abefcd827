// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <numeric>
#include <string>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/array.hpp>

#include "agreement/in_parallel.hpp"
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
  in_parallel(n, [&sums](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < run; ++i) sum += digest_of_operations<Kind>(k * run + i);
      sums[k] = sum;
    }
  });
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

/// Is x·x^-1 one for `count` operands, and 0^-1 zero?
template <class Kind>
void check_inverses(std::size_t count) {
  const Cuda cuda(0);
  const CudaQueue queue = cuda.make_queue();
  const std::size_t n = count / run;
  auto counts = cuda.allocate<std::uint64_t>(n);
  right_inverses_on_device<Kind>(queue, run, counts.span());
  Array<std::uint64_t> right(n);
  queue.download(DeviceSpan<const std::uint64_t>(counts.span()), std::span<std::uint64_t>(right));
  queue.wait();
  CHECK(std::accumulate(right.begin(), right.end(), std::uint64_t{0}) == n * run);
}

}  // namespace

TEST_CASE("field operations of the device are the host's for random operands", "[gpu][field]") {
  check<Exact<Fr>, Exact<Fr>>(1u << 20);
  check<Exact<Fq>, Exact<Fq>>(1u << 20);
  check<Lazy<Fq>, Exact<Fq>>(1u << 20);
  check<Squared<Lazy<Fq>>, Squared<Exact<Fq>>>(1u << 18);
}

TEST_CASE("field operations of the device are the host's 10^8 times", "[gpu][field][slow]") {
  constexpr std::size_t pairs = 100'000'256;  // so many times each operation, and inversions a 64th
  check<Exact<Fr>, Exact<Fr>>(pairs);
  check<Exact<Fq>, Exact<Fq>>(pairs);
  check<Lazy<Fq>, Exact<Fq>>(pairs);
  check<Squared<Lazy<Fq>>, Squared<Exact<Fq>>>(pairs);
}

TEST_CASE("10^8 inverses of each field are inverses", "[gpu][field][slow]") {
  constexpr std::size_t count = 100'000'256;
  check_inverses<Exact<Fr>>(count);
  check_inverses<Exact<Fq>>(count);
  check_inverses<Lazy<Fq>>(count);
  check_inverses<Squared<Lazy<Fq>>>(count);
}
