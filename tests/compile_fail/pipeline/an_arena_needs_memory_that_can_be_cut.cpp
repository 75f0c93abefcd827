// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: arena: the backend's buffers cannot be cut
#include <memory>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/prover/pipeline/memory/arena.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>

/// Memory that only comes as a whole.
struct Whole {
  std::unique_ptr<std::byte[]> memory;
  std::size_t n = 0;
#ifndef OFFENCE
  Whole piece(std::size_t, std::size_t) { return {}; }
#endif
  std::span<std::byte> span() const { return {memory.get(), n}; }
  std::size_t size() const { return n; }
  std::byte* data() const { return memory.get(); }
};

struct Device {
  static constexpr const char* name = "whole";
  template <class>
  using Buffer = Whole;
  template <class T>
  using Span = std::span<T>;
  using Queue = zkgpu::Cpu<>::Queue;
  Queue make_queue() { return {}; }
  template <class>
  Whole allocate(std::size_t n) {
    return {std::make_unique<std::byte[]>(n), n};
  }
  zkgpu::DeviceProperties properties() const { return {}; }
};

using namespace zkgpu::pipeline;  // NOLINT

int main() {
  Device device;
  memory<resident_host, arena, recycle, true>::Source<Device> source(device, 100);
  return static_cast<int>(source.account().in_use_bytes());
}
