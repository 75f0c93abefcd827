// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <string>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/memory/allocate.hpp>

#include "points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using G1 = Bls12_381::G1;
using Integer = Bls12_381::Fr::Integer;

constexpr std::size_t mib = std::size_t{1} << 20;

/// A device of which all memory but `left` bytes is taken, by the driver's own count.
struct Squeeze {
  CudaBuffer<std::byte> taken;
  Squeeze(const Cuda& cuda, std::size_t left) {
    cuda.trim();
    const std::size_t free = cuda.free_bytes();
    if (free > left) taken = cuda.allocate<std::byte>(free - left);
  }
};

}  // namespace

TEST_CASE("sums shrink with the device's free memory, and the next call works",
          "[gpu][msm][g1][fault]") {
  const Cuda cuda(0);
  const CudaQueue queue = cuda.make_queue();
  constexpr std::size_t n = (std::size_t{1} << 20) + 3;
  auto points = cuda.allocate_pinned<G1::Affine>(n);
  {
    auto made = cuda.allocate<G1::Affine>(n);
    make_points<G1>(cuda, queue, 4, made.span());
    queue.download(DeviceSpan<const G1::Affine>(made.span()), points.span());
    queue.wait();
  }
  const auto scalars = make_scalars(Scalars::uniform, n, 9);
  const auto expected = scalar_mul_double_and_add(G1::Jacobian::from_affine(G1::generator()),
                                                  combined_logarithm(scalars, 4).to_integer());
  const CudaSource<G1::Affine> bases = std::span<const G1::Affine>(points.span());
  const CudaSource<Integer> integers = std::span<const Integer>(scalars);
  unsigned last_tables = 1000;
  for (std::size_t left : {2500 * mib, 900 * mib, 400 * mib}) {
    INFO(left << " bytes left");
    const Squeeze squeeze(cuda, left);
    CHECK(msm<G1>(cuda, integers, bases) == expected);
    const auto resident = make_cuda_msm_bases<G1>(cuda, queue, bases);
    INFO(to_string(resident.plan()));
    CHECK(resident.plan().tables < last_tables);
    last_tables = resident.plan().tables;
    auto workspace = cuda.allocate<std::byte>(resident.plan().workspace_bytes());
    CHECK(cuda.arena_use().used_bytes - squeeze.taken.size() <= left);
  }
  {
    const Squeeze squeeze(cuda, 100 * mib);
    CHECK(msm<G1>(cuda, integers, bases) == expected);  // streamed: 128 MiB do not fit
    CHECK_THROWS_AS(make_cuda_msm_bases<G1>(cuda, queue, bases), ResourceExhausted);
  }
  {
    const Squeeze squeeze(cuda, 4 * mib);
    try {
      static_cast<void>(msm<G1>(cuda, integers, bases));
      FAIL("a sum in 4 MiB");
    } catch (const ResourceExhausted& error) {
      const std::string text = error.what();
      INFO(text);
      CHECK(text.find("wanted") != std::string::npos);
      CHECK(text.find("free") != std::string::npos);
    }
  }
  CHECK(msm<G1>(cuda, integers, bases) == expected);
}
