// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <string_view>

namespace zkgpu {

/// Instruction sets of the CPU backend. Each inherits the one below it: an operation that has no
/// form of its own for an architecture takes the next lower one.
namespace arch {
struct scalar {  ///< any CPU; portable products
  static constexpr std::string_view name = "scalar";
};
struct x86_adx : scalar {  ///< x86-64 with BMI2 and ADX: products by mulx, adcx, adox
  static constexpr std::string_view name = "x86_adx";
};
struct avx2 : x86_adx {
  static constexpr std::string_view name = "avx2";
};
struct avx512ifma : avx2 {
  static constexpr std::string_view name = "avx512ifma";
};
}  // namespace arch

template <class A>
concept CpuArch = std::derived_from<A, arch::scalar>;

}  // namespace zkgpu
