// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/backend/cpu.hpp>

namespace zkgpu {

CpuLevel cpu_level_from_name(std::string_view name, CpuLevel available) {
  constexpr std::array names{arch::scalar::name, arch::x86_adx::name, arch::avx2::name,
                             arch::avx512ifma::name};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != name) continue;
    const auto level = static_cast<CpuLevel>(i);
    if (level > available) {
      throw InvalidArgument("ZKGPU_FORCE_ARCH=" + std::string(name) +
                            ": this machine can run at most " +
                            std::string(names[static_cast<std::size_t>(available)]));
    }
    return level;
  }
  throw InvalidArgument("ZKGPU_FORCE_ARCH=" + std::string(name) +
                        ": not one of scalar, x86_adx, avx2, avx512ifma");
}

CpuLevel selected_cpu_level() {
  static const CpuLevel level = [] {
    const char* forced = std::getenv("ZKGPU_FORCE_ARCH");
    if (forced == nullptr || *forced == '\0') return detected_cpu_level();
    const CpuLevel wanted = cpu_level_from_name(forced, detected_cpu_level());
#if defined(__x86_64__)
    if (wanted < CpuLevel::x86_adx) limb_ops::x86::set_mulx_adx(false);
#endif
    return wanted;
  }();
  return level;
}

}  // namespace zkgpu
