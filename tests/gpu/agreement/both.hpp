// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/msm.hpp>

/// The same operation by the device and by the best form that the CPU has.
namespace zkgpu::gpu_test {

using Fr = Bls12_381::Fr;
using Integer = Fr::Integer;
using Integers = std::vector<Integer>;

struct Device {
  Cuda cuda{0};
  CudaQueue queue = cuda.make_queue();
};

template <class G>
typename G::Jacobian sum_on_cpu(std::span<const Integer> scalars,
                                std::span<const typename G::Affine> bases) {
  return with_best_cpu([&](auto cpu) { return msm<G>(cpu, scalars, bases); });
}

/// Device memory with a copy of what the host has.
template <class T>
CudaBuffer<T> upload(Device& device, std::span<const T> from) {
  auto to = device.cuda.allocate<T>(from.size());
  device.queue.upload(from, to.span());
  device.queue.wait();
  return to;
}
template <class T>
std::vector<T> download(Device& device, DeviceSpan<const T> from) {
  std::vector<T> to(from.size());
  device.queue.download(from, std::span<T>(to));
  device.queue.wait();
  return to;
}

/// Scratch memory that is allocated when a stage asks for it; not wiped.
template <Backend B>
class Lender final : public BufferSource<B> {
 public:
  using Buffer = typename BufferSource<B>::Buffer;
  explicit Lender(const B& backend) : backend_(backend) {}
  Buffer acquire(std::size_t bytes) override {
    return backend_.template allocate<std::byte>(bytes);
  }
  void release(Buffer&& buffer) noexcept override { const Buffer gone(std::move(buffer)); }

 private:
  B backend_;
};

/// The result of what `enqueue(workspace, result)` does.
template <class G, class Enqueue>
typename G::Jacobian sum_of(Device& device, std::size_t workspace_bytes, const Enqueue& enqueue) {
  auto workspace = device.cuda.allocate<std::byte>(workspace_bytes);
  auto result = device.cuda.allocate<typename G::Jacobian>(1);
  enqueue(workspace.span(), result.span());
  return download(device, DeviceSpan<const typename G::Jacobian>(result.span()))[0];
}
template <class G>
typename G::Jacobian sum_on_device(Device& device, const CudaMsmBases<G>& bases,
                                   std::span<const Integer> scalars) {
  const auto integers = upload(device, scalars);
  return sum_of<G>(device, bases.plan().workspace_bytes(), [&](auto workspace, auto result) {
    Msm<G, Cuda>::enqueue(device.queue, bases.plan(), integers.span(), bases, workspace, result);
  });
}

/// 2^(c-1) - 1, 2^(c-1) or 2^(c-1) + 1 in every window of c bits: at the edge of a signed digit.
inline Integers edge_scalars(unsigned c, std::size_t n, std::uint64_t seed) {
  std::uint64_t state = seed;
  Integers scalars(n);
  for (auto& k : scalars) {
    Fr sum = Fr::zero(), base = Fr::one();
    const Fr step(1 << c);
    for (unsigned at = 0; at + c < Fr::bits; at += c, base *= step) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      sum += base * Fr((1 << (c - 1)) - 1 + static_cast<int>((state >> 33) % 3));
    }
    k = sum.to_integer();
  }
  return scalars;
}

}  // namespace zkgpu::gpu_test
