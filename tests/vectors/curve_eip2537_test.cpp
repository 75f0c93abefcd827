// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/curve/scalar_mul.hpp>

#include "eip2537.hpp"
#include "json_vectors.hpp"
#include "product_forms.hpp"

// The precompiles ADD, MUL and PAIRING of EIP-2537 over the vectors of the EIP and of go-ethereum.
// MSM, which also takes these files' form, is tested with msm/.
namespace {

using namespace zkgpu;
using namespace zkgpu::bls12_381;
namespace eip = test::eip2537;
using test::Json;
using In = std::span<const std::byte>;

/// What a precompile says to an input: a status, and bytes if it is ok.
struct Answer {
  PointStatus status;
  test::Bytes output;
};

template <CurveParams P>
test::Bytes encode(const Affine<P>& p) {
  const auto zcash = encode_uncompressed(p);
  test::Bytes out;
  constexpr std::size_t words = uncompressed_bytes<P> / 48;
  for (std::size_t i = 0; i < words; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(48 * (words == 4 ? i ^ 1 : i));
    out.insert(out.end(), 16, std::byte{0});
    out.insert(out.end(), zcash.begin() + at, zcash.begin() + at + 48);
  }
  for (auto& byte : out) {
    if (p.is_infinity()) byte = std::byte{0};  // the infinity flag
  }
  return out;
}

template <CurveParams P>
Answer add(In in) {
  constexpr std::size_t size = eip::point_bytes<P>;
  if (in.size() != 2 * size) return {PointStatus::bad_length, {}};
  Affine<P> a{}, b{};
  PointStatus status = eip::decode_on_curve(in.first(size), a);
  if (status == PointStatus::ok) status = eip::decode_on_curve(in.last(size), b);
  if (status != PointStatus::ok) return {status, {}};
  const auto sum = (Jacobian<P>::from_affine(a) + b).to_affine();
  CHECK((Jacobian<P>::from_affine(a) + Jacobian<P>::from_affine(b)).to_affine() == sum);
  CHECK((Xyzz<P>::from_affine(a) + b).to_affine() == sum);
  CHECK((Xyzz<P>::from_affine(a) + Xyzz<P>::from_affine(b)).to_affine() == sum);
  CHECK((Projective<P>::from_affine(a) + Projective<P>::from_affine(b)).to_jacobian().to_affine() ==
        sum);
  return {PointStatus::ok, encode(sum)};
}

template <CurveParams P>
Answer multiply(In in) {
  constexpr std::size_t size = eip::point_bytes<P>;
  if (in.size() != size + eip::scalar_bytes) return {PointStatus::bad_length, {}};
  Affine<P> p{};
  const PointStatus status = eip::decode(in.first(size), p);
  if (status != PointStatus::ok) return {status, {}};
  const auto k = eip::decode_scalar<Fr>(in.last(eip::scalar_bytes)).to_integer();
  const auto product = scalar_mul(p, k).to_affine();
  CHECK(scalar_mul_constant_time(p, k).to_affine() == product);
  return {PointStatus::ok, encode(product)};
}

Answer check_pairing(In in) {
  constexpr std::size_t g1 = eip::point_bytes<G1Params>;
  constexpr std::size_t size = g1 + eip::point_bytes<G2Params>;
  if (in.empty() || in.size() % size != 0) return {PointStatus::bad_length, {}};
  std::vector<PairingTerm<Bls12_381>> terms;
  for (std::size_t at = 0; at < in.size(); at += size) {
    PairingTerm<Bls12_381> term{};
    PointStatus status = eip::decode(in.subspan(at, g1), term.p);
    if (status == PointStatus::ok) status = eip::decode(in.subspan(at + g1, size - g1), term.q);
    if (status != PointStatus::ok) return {status, {}};
    terms.push_back(term);
  }
  test::Bytes output(32, std::byte{0});
  if (pairing_check<Bls12_381>(terms)) output[31] = std::byte{1};

  // All lines prepared, and half of them, must say the same.
  std::vector<PreparedG2<Bls12_381>> lines;
  for (const auto& term : terms) lines.emplace_back(term.q);
  std::vector<PreparedPairingTerm<Bls12_381>> prepared;
  for (std::size_t i = 0; i < terms.size(); ++i) prepared.push_back({terms[i].p, &lines[i]});
  const std::size_t half = terms.size() / 2;
  const std::span<const PairingTerm<Bls12_381>> plain(terms);
  const std::span<const PreparedPairingTerm<Bls12_381>> ready(prepared);
  const bool expected = output[31] == std::byte{1};
  CHECK(pairing_check<Bls12_381>({}, ready) == expected);
  CHECK(pairing_check<Bls12_381>(plain.first(half), ready.subspan(half)) == expected);
  return {PointStatus::ok, output};
}

/// Runs a file of good or of failing cases.
template <class Precompile>
void check_file(const std::string& relative, Precompile precompile) {
  const std::string path = "vectors/" + relative;
  if (!test::shared_present(path)) return;
  const Json file = test::load_json(path);
  REQUIRE_FALSE(file.empty());
  test::for_each_product_form([&](const char* form) {
    for (const auto& c : file) {
      INFO(relative << ": " << c.at("Name") << " (" << form << ")");
      const Answer answer = precompile(test::bytes_from_hex(c.at("Input").get<std::string>()));
      if (c.contains("ExpectedError")) {
        const auto expected = eip::expected_status(c.at("ExpectedError").get<std::string>());
        CHECK(to_string(answer.status) == to_string(expected));
      } else {
        CHECK(to_string(answer.status) == "ok");
        CHECK(answer.output == test::bytes_from_hex(c.at("Expected").get<std::string>()));
      }
    }
  });
}

}  // namespace

TEST_CASE("sums of points are those of EIP-2537", "[curve][vectors]") {
  check_file("eip-2537/add_G1_bls.json", add<G1Params>);
  check_file("eip-2537/add_G2_bls.json", add<G2Params>);
  check_file("go-ethereum/blsG1Add.json", add<G1Params>);
  check_file("go-ethereum/blsG2Add.json", add<G2Params>);
}

TEST_CASE("bad points are refused by sums as EIP-2537 says", "[curve][vectors]") {
  check_file("eip-2537/fail-add_G1_bls.json", add<G1Params>);
  check_file("eip-2537/fail-add_G2_bls.json", add<G2Params>);
  check_file("go-ethereum/fail-blsG1Add.json", add<G1Params>);
  check_file("go-ethereum/fail-blsG2Add.json", add<G2Params>);
}

TEST_CASE("products of points and scalars are those of EIP-2537", "[curve][vectors]") {
  check_file("eip-2537/mul_G1_bls.json", multiply<G1Params>);
  check_file("eip-2537/mul_G2_bls.json", multiply<G2Params>);
}

TEST_CASE("bad points are refused by products as EIP-2537 says", "[curve][vectors]") {
  check_file("eip-2537/fail-mul_G1_bls.json", multiply<G1Params>);
  check_file("eip-2537/fail-mul_G2_bls.json", multiply<G2Params>);
}

TEST_CASE("pairing checks are those of EIP-2537", "[curve][pairing][vectors]") {
  check_file("eip-2537/pairing_check_bls.json", check_pairing);
  check_file("go-ethereum/blsPairing.json", check_pairing);
}

TEST_CASE("bad points are refused by pairing checks as EIP-2537 says",
          "[curve][pairing][vectors]") {
  check_file("eip-2537/fail-pairing_check_bls.json", check_pairing);
  check_file("go-ethereum/fail-blsPairing.json", check_pairing);
}
