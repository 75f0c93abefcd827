// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <sched.h>
#include <unistd.h>

#include <cstddef>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <zkgpu/backend/cpu.hpp>

namespace zkgpu {

namespace {

#if defined(__x86_64__)
/// Which register files the operating system saves: XCR0.
unsigned enabled_state() noexcept {
  unsigned low = 0;
  unsigned high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

CpuLevel detect() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return CpuLevel::scalar;
  const bool os_saves_vectors = (c & bit_OSXSAVE) != 0, fma = (c & bit_FMA) != 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return CpuLevel::scalar;
  const auto has = [b](unsigned bits) { return (b & bits) == bits; };
  constexpr unsigned bmi2 = 1U << 8, adx = 1U << 19, avx2 = 1U << 5;
  constexpr unsigned f = 1U << 16, dq = 1U << 17, ifma = 1U << 21, bw = 1U << 30, vl = 1U << 31;
  if (!has(bmi2 | adx)) return CpuLevel::scalar;
  const unsigned state = os_saves_vectors ? enabled_state() : 0;
  if (!has(avx2) || !fma || (state & 0x06) != 0x06) return CpuLevel::x86_adx;          // xmm, ymm
  if (!has(f | dq | ifma | bw | vl) || (state & 0xe6) != 0xe6) return CpuLevel::avx2;  // zmm, masks
  return CpuLevel::avx512ifma;
}
#else
CpuLevel detect() noexcept { return CpuLevel::scalar; }
#endif

std::size_t system_value(int name) noexcept {
  const long value = ::sysconf(name);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

std::size_t usable_processors() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
    return static_cast<std::size_t>(CPU_COUNT(&set));
  }
  const std::size_t online = system_value(_SC_NPROCESSORS_ONLN);
  return online == 0 ? 1 : online;
}

}  // namespace

CpuLevel detected_cpu_level() noexcept {
  static const CpuLevel level = detect();
  return level;
}

DeviceProperties detected_cpu_properties() noexcept {
  static const DeviceProperties properties{
      .compute_units = usable_processors(),
      .unit_cache_bytes = system_value(_SC_LEVEL2_CACHE_SIZE),
      .device_cache_bytes = system_value(_SC_LEVEL3_CACHE_SIZE),
      .memory_bytes = system_value(_SC_PHYS_PAGES) * system_value(_SC_PAGESIZE),
      .architecture = 0};
  return properties;
}

}  // namespace zkgpu
