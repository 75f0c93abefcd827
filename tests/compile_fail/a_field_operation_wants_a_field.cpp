// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: Field
#include <cstdint>
#include <zkgpu/field/field.hpp>

template <zkgpu::Field F>
F twice(const F& a) {
  return a + a;
}

int main() {
#ifdef OFFENCE
  return static_cast<int>(twice(std::uint64_t{1}));  // integers have no inverse()
#endif
}
