// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <shared.hpp>
#include <string>
#include <vector>

#include <zkgpu/ntt/ntt.hpp>

namespace {

using zkgpu::Cpu;
using zkgpu::NttDirection;
using zkgpu::NttDomain;
using zkgpu::NttOrder;
using zkgpu::NttTransform;
using zkgpu::NttTwiddles;
using Fr = zkgpu::Bls12_381::Fr;

/// "0x" and 64 digits, most significant first.
Fr field_element(const std::string& hex) {
  REQUIRE(hex.size() == 66);
  Fr::Integer n{};
  for (std::size_t i = 0; i < 4; ++i) {
    n.limb[3 - i] = std::stoull(hex.substr(2 + 16 * i, 16), nullptr, 16);
  }
  REQUIRE(Fr::is_canonical(n));
  return Fr::from_integer(n);
}

std::vector<Fr> field_elements(const nlohmann::json& list) {
  std::vector<Fr> values;
  for (const auto& hex : list) values.push_back(field_element(hex.get<std::string>()));
  return values;
}

TEST_CASE("transforms by another library are ours, for both roots", "[ntt][vectors]") {
  if (!zkgpu::test::shared_present("vectors/noble-oracle/ntt.json")) return;
  const auto file = nlohmann::json::parse(
      zkgpu::test::read_text(zkgpu::test::shared_dir() / "vectors/noble-oracle/ntt.json"));
  const Cpu<> cpu;
  std::size_t cases = 0;
  for (const auto& entry : file.at("cases")) {
    const auto n = entry.at("n").get<std::size_t>();
    const Fr generator(entry.at("gen").get<int>());
    const auto domain = NttDomain<Fr>::at_least(n, generator);
    CAPTURE(n, entry.at("gen").get<int>());
    REQUIRE(domain.size() == n);
    CHECK(domain.root == field_element(entry.at("root").get<std::string>()));
    const NttTwiddles<Fr> twiddles(domain);
    const auto transformed = [&](NttDirection direction, const Fr& shift) {
      auto x = field_elements(entry.at("input"));
      zkgpu::ntt<Fr>(cpu, twiddles, {direction, NttOrder::natural_to_natural, shift}, x);
      return x;
    };
    CHECK(transformed(NttDirection::forward, Fr::one()) == field_elements(entry.at("forward")));
    CHECK(transformed(NttDirection::inverse, Fr::one()) == field_elements(entry.at("inverse")));
    CHECK(transformed(NttDirection::forward, generator) ==
          field_elements(entry.at("coset_forward")));
    ++cases;
  }
  CHECK(cases >= 8);
}

}  // namespace
