// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/curve/fixed_base.hpp>
#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/curve/scalar_mul.hpp>

#include "json_vectors.hpp"
#include "product_forms.hpp"

// Vectors of zkcrypto (encodings), ethereum (decoding), constantine (products), noble (pairings).
namespace {

using namespace zkgpu;
using namespace zkgpu::bls12_381;
using test::Json;

/// Entry i of a .dat file is i·G.
template <CurveParams P>
void check_multiples(const std::string& name, bool compressed) {
  const std::string path = "vectors/zkcrypto-bls12_381/" + name;
  if (!test::shared_present(path)) return;
  const auto file = test::read_bytes(test::shared_dir() / path);
  const std::size_t size = compressed ? compressed_bytes<P> : uncompressed_bytes<P>;
  REQUIRE(file.size() == 1000 * size);
  const auto g = Group<P>::generator();
  const FixedBaseTable<Group<P>> table(g, 6);
  test::for_each_product_form([&](const char* form) {
    auto expected = Jacobian<P>::infinity();
    for (std::size_t i = 0; i < 1000; ++i, expected += g) {
      INFO(name << " entry " << i << " (" << form << ")");
      const std::span<const std::byte> bytes(file.data() + i * size, size);
      Affine<P> p{};
      const auto status = compressed ? decode_compressed(bytes, p) : decode_uncompressed(bytes, p);
      CHECK(to_string(status) == "ok");
      const auto point = expected.to_affine();
      CHECK(p == point);
      CHECK(table.multiply(Fr::Integer::from_uint64(i)) == expected);
      if (compressed) {
        CHECK(std::ranges::equal(encode_compressed(point), bytes));
      } else {
        CHECK(std::ranges::equal(encode_uncompressed(point), bytes));
      }
    }
  });
}

/// What the name of a decoding case says about its failure.
template <CurveParams P>
PointStatus status_of_name(const std::string& name) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (has("succeeds")) return PointStatus::ok;
  if (has("too_few_bytes") || has("too_many_bytes")) return PointStatus::bad_length;
  if (has("modulus")) return PointStatus::not_canonical;
  if (has("not_in_curve")) return PointStatus::not_on_curve;
  if (has("not_in_G")) return PointStatus::not_in_subgroup;
  if (has("infinity_with_true_b_flag")) return PointStatus::bad_infinity;
  if (has("infinity_with_false_b_flag")) {  // x = 0, which on G1 belongs to points of order 3
    return std::is_same_v<P, G1Params> ? PointStatus::not_in_subgroup : PointStatus::not_on_curve;
  }
  if (has("b_flag_and_x_nonzero")) return PointStatus::bad_infinity;
  return PointStatus::bad_flags;
}

template <CurveParams P>
void check_decoding(const std::string& folder, const char* key) {
  const std::string path = "vectors/ethereum-bls12-381-tests/" + folder;
  if (!test::shared_present(path)) return;
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::shared_dir() / path)) {
    const std::string name = entry.path().stem().string();
    const Json c = test::load_json(path + "/" + entry.path().filename().string());
    const auto bytes = test::bytes_from_hex(c.at("input").at(key).get<std::string>());
    test::for_each_product_form([&](const char* form) {
      INFO(name << " (" << form << ")");
      Affine<P> p{};
      const auto status = decode_compressed(bytes, p);
      CHECK((status == PointStatus::ok) == c.at("output").get<bool>());
      CHECK(to_string(status) == to_string(status_of_name<P>(name)));
    });
    ++cases;
  }
  CHECK(cases >= 13);
}

template <CurveParams P>
void check_products(const std::string& name) {
  const std::string path = "vectors/constantine/tv_BLS12_381_scalar_mul_" + name + ".json";
  if (!test::shared_present(path)) return;
  const Json file = test::load_json(path);
  REQUIRE(file.at("vectors").size() == 40);
  test::for_each_product_form([&](const char* form) {
    for (const auto& c : file.at("vectors")) {
      INFO(name << " case " << c.at("id") << " (" << form << ")");
      const auto p = test::parse<Affine<P>>(c.at("P"));
      const auto expected = test::parse<Affine<P>>(c.at("Q"));
      const auto k = test::integer_from_hex<4>(c.at("scalar").get<std::string>());
      CHECK(scalar_mul_double_and_add(Jacobian<P>::from_affine(p), k).to_affine() == expected);
      REQUIRE(is_in_subgroup(p));
      Fr reduced = Fr::zero();  // "255 bits" goes above r
      for (std::size_t i = 256; i-- > 0;) reduced = reduced.doubled() + Fr(k.bit(i) ? 1 : 0);
      CHECK(scalar_mul(p, reduced.to_integer()).to_affine() == expected);
      CHECK(scalar_mul_constant_time(p, reduced.to_integer()).to_affine() == expected);
    }
  });
}

}  // namespace

TEST_CASE("a thousand multiples of the generators are encoded and decoded", "[curve][vectors]") {
  check_multiples<G1Params>("g1_compressed_valid_test_vectors.dat", true);
  check_multiples<G1Params>("g1_uncompressed_valid_test_vectors.dat", false);
  check_multiples<G2Params>("g2_compressed_valid_test_vectors.dat", true);
  check_multiples<G2Params>("g2_uncompressed_valid_test_vectors.dat", false);
}

TEST_CASE("compressed points of the Ethereum tests are accepted or refused for the right reason",
          "[curve][vectors]") {
  check_decoding<G1Params>("deserialization_G1", "pubkey");
  check_decoding<G2Params>("deserialization_G2", "signature");
}

TEST_CASE("products of points and scalars of every width agree", "[curve][vectors]") {
  for (const char* bits : {"32bit", "64bit", "128bit", "255bit"}) {
    check_products<G1Params>(std::string("G1_") + bits);
    check_products<G2Params>(std::string("G2_") + bits);
  }
}

TEST_CASE("a thousand pairings have the published values", "[curve][pairing][vectors]") {
  const std::string path = "vectors/noble-curves/pairing.json.gz";
  if (!test::shared_present(path)) return;
  const Json file = test::load_json(path);
  REQUIRE(file.size() == 1000);
  using Fq12 = Bls12_381::Fq12;
  test::for_each_product_form([&](const char* form) {
    auto p = Jacobian<G1Params>::infinity();
    auto q = Jacobian<G2Params>::infinity();
    std::size_t i = 0;
    for (const auto& entry : file) {
      INFO("i = " << ++i << " (" << form << ")");
      p += Bls12_381::G1::generator();
      q += Bls12_381::G2::generator();
      const std::string hex = entry.get<std::string>();
      REQUIRE(hex.size() == 12 * 96);
      Fq2 w[6];  // coefficients of w⁵, w³, w, w⁴, w², 1, each as c1, c0
      const std::size_t powers[6] = {5, 3, 1, 4, 2, 0};
      for (std::size_t j = 0; j < 6; ++j) {
        test::read(Json{hex.substr(192 * j + 96, 96), hex.substr(192 * j, 96)}, w[powers[j]]);
      }
      // w² = v: even powers are c0, odd ones c1. The published values are cubes.
      const Fq12 expected{{w[0], w[2], w[4]}, {w[1], w[3], w[5]}};
      const auto f = miller_loop<Bls12_381>(p.to_affine(), q.to_affine());
      CHECK(final_exponentiation_cubed<Bls12_381>(f) == expected);
      const auto value = final_exponentiation<Bls12_381>(f);
      CHECK(value.square() * value == expected);
    }
  });
}
