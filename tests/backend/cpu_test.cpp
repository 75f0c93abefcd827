// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/backend/cpu.hpp>

namespace {

using namespace zkgpu;

static_assert(Backend<Cpu<>>);
static_assert(Backend<Cpu<arch::avx512ifma>>);
static_assert(CpuArch<arch::scalar> && CpuArch<arch::avx512ifma> && !CpuArch<int>);
static_assert(std::is_base_of_v<arch::x86_adx, arch::avx2>);
static_assert(cpu_level<arch::scalar> == CpuLevel::scalar);
static_assert(cpu_level<arch::x86_adx> == CpuLevel::x86_adx);
static_assert(cpu_level<arch::avx2> == CpuLevel::avx2);
static_assert(cpu_level<arch::avx512ifma> == CpuLevel::avx512ifma);
static_assert(!std::is_copy_constructible_v<HostBuffer<int>>);

TEST_CASE("names of architectures are levels, in order", "[backend]") {
  const CpuLevel all = CpuLevel::avx512ifma;
  CHECK(cpu_level_from_name("scalar", all) == CpuLevel::scalar);
  CHECK(cpu_level_from_name("x86_adx", all) == CpuLevel::x86_adx);
  CHECK(cpu_level_from_name("avx2", all) == CpuLevel::avx2);
  CHECK(cpu_level_from_name("avx512ifma", all) == CpuLevel::avx512ifma);
  CHECK(cpu_level_from_name("scalar", CpuLevel::scalar) == CpuLevel::scalar);
  CHECK(CpuLevel::scalar < CpuLevel::x86_adx);
}

TEST_CASE("unknown architectures, and those above the machine's, are refused", "[backend]") {
  CHECK_THROWS_AS(cpu_level_from_name("", CpuLevel::avx2), InvalidArgument);
  CHECK_THROWS_AS(cpu_level_from_name("AVX2", CpuLevel::avx2), InvalidArgument);
  CHECK_THROWS_AS(cpu_level_from_name("sse", CpuLevel::avx2), InvalidArgument);
  CHECK_THROWS_WITH(cpu_level_from_name("avx512ifma", CpuLevel::x86_adx),
                    "ZKGPU_FORCE_ARCH=avx512ifma: this machine can run at most x86_adx");
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// ctest runs this with ZKGPU_FORCE_ARCH set to each architecture (tests/forced), and on emulated
// processors whose level it tells us in ZKGPU_EXPECTED_ARCH (tests/emulated).
TEST_CASE("the level in use is what the environment names if the machine has it, else refused",
          "[backend][arch]") {
  const CpuLevel best = detected_cpu_level();
  const std::string promised = environment("ZKGPU_EXPECTED_ARCH");
  if (!promised.empty()) CHECK(best == cpu_level_from_name(promised, CpuLevel::avx512ifma));
#if defined(__x86_64__)
  CHECK(limb_ops::x86::mulx_adx_supported() == (best >= CpuLevel::x86_adx));
#else
  CHECK(best == CpuLevel::scalar);
#endif
  const std::string forced = environment("ZKGPU_FORCE_ARCH");
  std::string refusal;
  CpuLevel expected = best;
  try {
    if (!forced.empty()) expected = cpu_level_from_name(forced, best);
  } catch (const InvalidArgument& error) {
    refusal = error.what();
  }
  if (!refusal.empty()) {
    CHECK_THAT(refusal, Catch::StartsWith("ZKGPU_FORCE_ARCH=" + forced + ": "));
    for (int times = 0; times < 2; ++times) {  // not only the first that asks
      CHECK_THROWS_WITH(selected_cpu_level(), refusal);
      CHECK_THROWS_AS(with_best_cpu([](auto) { return 0; }), InvalidArgument);
    }
    return;
  }
  CHECK(selected_cpu_level() == expected);
  CHECK(selected_cpu_level() == expected);
#if defined(__x86_64__)
  CHECK(limb_ops::x86::mulx_adx_enabled() == (expected >= CpuLevel::x86_adx));
#endif
}

TEST_CASE("this machine has at least one thread, and memory", "[backend]") {
  const DeviceProperties machine = Cpu<>{}.properties();
  CHECK(machine == detected_cpu_properties());
  CHECK(machine.compute_units >= 1);
  CHECK(machine.memory_bytes > (std::size_t{64} << 20));
  CHECK(machine.architecture == 0);
  const DeviceProperties described{.compute_units = 7};
  CHECK(Cpu<>{described}.properties() == described);
}

TEST_CASE("buffers are aligned, movable and typed errors when they do not fit", "[backend]") {
  const Cpu<> cpu;
  auto buffer = cpu.allocate<std::uint64_t>(5);
  CHECK(buffer.size() == 5);
  CHECK(buffer.span().size() == 5);
  CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
  const std::uint64_t* const at = buffer.data();
  const auto moved = std::move(buffer);
  CHECK(moved.data() == at);
  CHECK(cpu.allocate<std::uint64_t>(0).span().empty());
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  CHECK_THROWS_AS(cpu.allocate<std::uint64_t>(most), ResourceExhausted);
  CHECK_THROWS_AS(cpu.allocate<std::uint64_t>(most / 16), ResourceExhausted);
}

TEST_CASE("a queue copies at once, and refuses unequal sizes", "[backend]") {
  const Cpu<> cpu;
  auto queue = cpu.make_queue();
  const std::vector<int> from{1, 2, 3};
  std::vector<int> to(3), shorter(2);
  queue.upload(std::span(from), std::span(to));
  CHECK(to == from);
  queue.download(std::span(from), std::span(to));
  queue.upload(std::span<const int>(to), std::span(to));  // onto itself
  CHECK(to == from);
  CHECK_THROWS_AS(queue.upload(std::span(from), std::span(shorter)), InvalidArgument);
  CHECK_THROWS_WITH(queue.download(std::span(from), std::span(shorter)),
                    "cpu: a copy of 3 elements to 2");
  queue.wait();
}

TEST_CASE("the best CPU is called once, and gives back what it is asked", "[backend]") {
  int calls = 0;
  const auto name = with_best_cpu([&calls](auto cpu) {
    ++calls;
    static_assert(Backend<decltype(cpu)>);
    const CpuLevel level = selected_cpu_level();
    CHECK(cpu_level<typename decltype(cpu)::Arch> ==
          (level < CpuLevel::avx2 ? CpuLevel::scalar : level));
    return std::string(decltype(cpu)::name);
  });
  CHECK(calls == 1);
  CHECK(name == "cpu");
}

}  // namespace
