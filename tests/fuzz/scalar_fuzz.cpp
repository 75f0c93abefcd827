// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <string_view>

#include <boost/multiprecision/cpp_int.hpp>

#include <zkgpu/prover/io/bytes/field_bytes.hpp>
#include <zkgpu/prover/io/json/decimal.hpp>

namespace zkgpu::fuzz {
namespace {

using Fr = Bls12_381::Fr;
using boost::multiprecision::cpp_int;

cpp_int to_boost(const Fr::Integer& n) {
  cpp_int value = 0;
  for (std::size_t i = Fr::limb_count; i-- > 0;) value = (value << 64) | cpp_int(n.limb[i]);
  return value;
}

/// 32 bytes, little and big endian, and the same number in decimal.
void check_bytes(Input bytes) {
  if (bytes.size() != io::integer_bytes<Fr>) return;
  const auto little = io::load_integer_le<Fr>(bytes.data());
  const auto big = io::load_integer_be<Fr>(bytes.data());
  cpp_int oracle = 0;
  for (const std::byte b : bytes) oracle = (oracle << 8) | cpp_int(std::to_integer<unsigned>(b));
  require(to_boost(big) == oracle, "big-endian bytes are read as the oracle reads them");
  std::byte back[io::integer_bytes<Fr>];
  io::store_integer_be<Fr>(back, big);
  require(equal(back, bytes), "big-endian bytes come back");
  require(equal(io::integer_to_le<Fr>(little), bytes), "little-endian bytes come back");
  require(io::to_decimal(big) == oracle.str(), "decimal digits are the oracle's");
  const bool canonical = Fr::is_canonical(big);
  require(canonical == (oracle < to_boost(Fr::modulus())), "canonical is below r");
  if (canonical) require(Fr::from_integer(big).to_integer() == big, "a field element comes back");
}

/// Any text as a decimal number.
void check_text(Input bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Fr::Integer n{};
  if (io::parse_decimal(text, n)) require(io::to_decimal(n) == text, "accepted digits come back");
}

}  // namespace
}  // namespace zkgpu::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zkgpu::fuzz::check_bytes(zkgpu::fuzz::input(data, size));
  zkgpu::fuzz::check_text(zkgpu::fuzz::input(data, size));
  return 0;
}
