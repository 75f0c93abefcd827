// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include <zkgpu/arith/limbs.hpp>

/// Integers of any size, as the oracle of ours.
namespace zkgpu::test {

using boost::multiprecision::cpp_int;

template <std::size_t N>
cpp_int to_cpp_int(const Limbs<N>& n) {
  cpp_int r = 0;
  for (std::size_t i = N; i-- > 0;) r = (r << 64) + n.limb[i];
  return r;
}

/// @throws std::out_of_range if n is negative or too long
template <std::size_t N>
Limbs<N> to_limbs(cpp_int n) {
  Limbs<N> r{};
  for (auto& limb : r.limb) {
    limb = static_cast<std::uint64_t>(n & ~std::uint64_t{0});
    n >>= 64;
  }
  if (n != 0) throw std::out_of_range("integer does not fit its limbs");
  return r;
}

}  // namespace zkgpu::test
