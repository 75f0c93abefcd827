// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "affinity.hpp"

#ifdef __linux__
#include <sched.h>
#endif

namespace zkgpu::pipeline {

CpuMask::CpuMask(const CpuGroup& cpus) noexcept {
  for (const unsigned cpu : cpus) {
    if (cpu < capacity) words_[cpu / word_bits] |= Word{1} << (cpu % word_bits);
  }
}

CpuMask CpuMask::of_this_thread() noexcept {
  CpuMask mask;
#ifdef __linux__
  // A cpu_set_t is the first 1024 bits of what the system takes: an array of such words.
  auto* const set = reinterpret_cast<cpu_set_t*>(mask.words_.data());
  if (sched_getaffinity(0, sizeof mask.words_, set) != 0) return {};
#endif
  return mask;
}

bool CpuMask::bind_this_thread() const noexcept {
#ifdef __linux__
  const auto* const set = reinterpret_cast<const cpu_set_t*>(words_.data());
  return sched_setaffinity(0, sizeof words_, set) == 0;
#else
  return false;
#endif
}

CpuGroup CpuMask::cpus() const {
  CpuGroup cpus;
  for (unsigned cpu = 0; cpu < capacity; ++cpu) {
    if ((words_[cpu / word_bits] >> (cpu % word_bits) & 1) != 0) cpus.push_back(cpu);
  }
  return cpus;
}

CpuMask operator|(const CpuMask& a, const CpuMask& b) noexcept {
  CpuMask both = a;
  for (std::size_t i = 0; i < both.words_.size(); ++i) both.words_[i] |= b.words_[i];
  return both;
}

}  // namespace zkgpu::pipeline
