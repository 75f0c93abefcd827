// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstddef>
#include <string>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/curve/scalar_mul.hpp>

#include "json_vectors.hpp"
#include "product_forms.hpp"

// Vectors made by running @noble/curves: vectors/noble-oracle.
namespace {

using namespace zkgpu;
using namespace zkgpu::bls12_381;
using test::Json;
using test::load_json;
using test::parse;
using test::shared_present;
using Fq6 = Bls12_381::Fq6;
using Fq12 = Bls12_381::Fq12;

/// The operations that all extension fields have.
template <class F>
void check_field_case(const Json& c) {
  const auto a = parse<F>(c.at("a"));
  const auto b = parse<F>(c.at("b"));
  CHECK(a + b == parse<F>(c.at("add")));
  CHECK(a - b == parse<F>(c.at("sub")));
  CHECK(-a == parse<F>(c.at("neg")));
  CHECK(a * b == parse<F>(c.at("mul")));
  CHECK(a.square() == parse<F>(c.at("sqr")));
  CHECK(a.inverse() == (c.at("inv").is_null() ? F::zero() : parse<F>(c.at("inv"))));
  for (const auto& power : c.at("frobenius")) {
    auto x = a;
    for (int k = power.at("k"); k > 0; --k) x = x.frobenius();
    CHECK(x == parse<F>(power.at("r")));
  }
}

template <CurveParams P>
void check_group(const Json& file) {
  for (const auto& c : file.at("cases")) {
    INFO(c.at("tag"));
    const auto a = Jacobian<P>::from_affine(parse<Affine<P>>(c.at("a")));
    const auto b = parse<Affine<P>>(c.at("b"));
    const auto scaled = Jacobian<P>::from_affine(b).doubled() - b;  // b with Z other than 1
    const auto sum = parse<Affine<P>>(c.at("add"));
    CHECK((a + b).to_affine() == sum);
    CHECK((a + scaled).to_affine() == sum);
    CHECK((a - b).to_affine() == parse<Affine<P>>(c.at("sub")));
    CHECK(a.doubled().to_affine() == parse<Affine<P>>(c.at("dbl_a")));
    CHECK((-a).to_affine() == parse<Affine<P>>(c.at("neg_a")));
    const auto bucket = Xyzz<P>::from_affine(a.to_affine());
    CHECK((bucket + b).to_affine() == sum);
    CHECK((bucket + (Xyzz<P>::from_affine(b).doubled() + -b)).to_affine() == sum);
    CHECK(bucket.doubled().to_affine() == a.doubled().to_affine());
    const auto complete = Projective<P>::from_affine(a.to_affine()) + Projective<P>::from_affine(b);
    CHECK(complete.to_jacobian().to_affine() == sum);
  }
  for (const auto& c : file.at("mul")) {
    const auto p = parse<Affine<P>>(c.at("p"));
    const auto k = test::integer_from_hex<4>(c.at("k").get<std::string>());
    INFO("k = " << c.at("k"));
    const auto expected = parse<Affine<P>>(c.at("r"));
    CHECK(scalar_mul_double_and_add(Jacobian<P>::from_affine(p), k).to_affine() == expected);
    REQUIRE(Fr::is_canonical(k));
    CHECK(scalar_mul(p, k).to_affine() == expected);
    CHECK(scalar_mul_constant_time(p, k).to_affine() == expected);
  }
}

template <CurveParams P>
PointStatus decode(const test::Bytes& in, Affine<P>& out) {
  // As a reader would that knows neither form: the length decides.
  return in.size() == uncompressed_bytes<P> ? decode_uncompressed(in, out)
                                            : decode_compressed(in, out);
}

/// What a bad encoding of the file must be refused for.
PointStatus expected_status(const std::string& tag) {
  const auto has = [&](const char* part) { return tag.find(part) != std::string::npos; };
  if (has("control")) return PointStatus::ok;
  if (has("byte too long") || has("by one byte") || has("empty")) return PointStatus::bad_length;
  if (has("nonzero") || has("on a real point")) return PointStatus::bad_infinity;
  if (has("not in the subgroup")) return PointStatus::not_in_subgroup;
  if (has("= p") || has("= 2^381-1")) return PointStatus::not_canonical;
  if (has("not on the curve") || has("no y on the curve") || has("all zero, no flags")) {
    return PointStatus::not_on_curve;
  }
  return PointStatus::bad_flags;
}

template <CurveParams P>
void check_encodings(const Json& good, const Json& bad) {
  for (const auto& c : good) {
    const auto p = parse<Affine<P>>(c.at("p"));
    const auto compressed = test::bytes_from_hex(c.at("compressed").get<std::string>());
    const auto uncompressed = test::bytes_from_hex(c.at("uncompressed").get<std::string>());
    Affine<P> back{};
    CHECK(decode_compressed(compressed, back) == PointStatus::ok);
    CHECK(back == p);
    CHECK(decode_uncompressed(uncompressed, back) == PointStatus::ok);
    CHECK(back == p);
    const auto written = encode_compressed(p);
    CHECK(test::Bytes(written.begin(), written.end()) == compressed);
    const auto written_uncompressed = encode_uncompressed(p);
    CHECK(test::Bytes(written_uncompressed.begin(), written_uncompressed.end()) == uncompressed);
  }
  for (const auto& c : bad) {
    const std::string tag = c.at("tag");
    INFO(tag);
    Affine<P> p{};
    const auto bytes = test::bytes_from_hex(c.at("hex").get<std::string>());
    const auto status = decode(bytes, p);
    CHECK((status == PointStatus::ok) == c.at("valid").get<bool>());
    PointStatus expected = expected_status(tag);
    if (tag == "infinity flag on a real point" && (bytes[0] & std::byte{0x20}) != std::byte{0}) {
      expected = PointStatus::bad_flags;  // that point has the larger y: two flags that do not mix
    }
    if (tag == "all zero x with compression flag only") {  // (0, 2) has order 3; see encoding_test
      expected =
          std::is_same_v<P, G1Params> ? PointStatus::not_in_subgroup : PointStatus::not_on_curve;
    }
    CHECK(to_string(status) == to_string(expected));
  }
}

}  // namespace

TEST_CASE("the sextic extension agrees with the oracle", "[field][vectors]") {
  if (!shared_present("vectors/noble-oracle/fp6.json")) return;
  const auto file = load_json("vectors/noble-oracle/fp6.json");
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    for (const auto& c : file.at("cases")) {
      check_field_case<Fq6>(c);
      const auto a = parse<Fq6>(c.at("a"));
      CHECK(a.multiply_by_v() == parse<Fq6>(c.at("mul_by_nonresidue")));
    }
  });
}

TEST_CASE("the extension of degree twelve agrees with the oracle", "[field][vectors]") {
  if (!shared_present("vectors/noble-oracle/fp12.json")) return;
  const auto file = load_json("vectors/noble-oracle/fp12.json");
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    for (const auto& c : file.at("cases")) {
      check_field_case<Fq12>(c);
      const auto a = parse<Fq12>(c.at("a"));
      CHECK(a.conjugate() == parse<Fq12>(c.at("conj")));
      if (c.at("final_exp").is_null()) continue;
      const auto expected = parse<Fq12>(c.at("final_exp"));  // to three times the plain power
      const auto plain = final_exponentiation<Bls12_381>(a);
      CHECK(final_exponentiation_cubed<Bls12_381>(a) == expected);
      CHECK(plain.square() * plain == expected);
    }
  });
}

TEST_CASE("G1 and G2 agree with the oracle", "[curve][g1][g2][vectors]") {
  if (!shared_present("vectors/noble-oracle/g1.json")) return;
  const auto g1 = load_json("vectors/noble-oracle/g1.json");
  const auto g2 = load_json("vectors/noble-oracle/g2.json");
  CHECK(parse<Affine<G1Params>>(g1.at("generator")) == Bls12_381::G1::generator());
  CHECK(parse<Affine<G2Params>>(g2.at("generator")) == Bls12_381::G2::generator());
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    check_group<G1Params>(g1);
    check_group<G2Params>(g2);
  });
}

TEST_CASE("subgroup checks agree with the oracle", "[curve][vectors]") {
  if (!shared_present("vectors/noble-oracle/subgroup.json")) return;
  const auto file = load_json("vectors/noble-oracle/subgroup.json");
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    const auto check = [](const auto& p, const Json& c) {
      INFO(c.at("tag"));
      CHECK(p.is_on_curve());
      CHECK(is_in_subgroup(p) == c.at("in_subgroup").get<bool>());
    };
    for (const auto& c : file.at("g1")) check(parse<Affine<G1Params>>(c.at("p")), c);
    for (const auto& c : file.at("g2")) check(parse<Affine<G2Params>>(c.at("p")), c);
  });
}

TEST_CASE("encodings agree with the oracle, bad ones are refused for the right reason",
          "[curve][vectors]") {
  if (!shared_present("vectors/noble-oracle/serde.json")) return;
  const auto file = load_json("vectors/noble-oracle/serde.json");
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    check_encodings<G1Params>(file.at("g1"), file.at("g1_bad"));
    check_encodings<G2Params>(file.at("g2"), file.at("g2_bad"));
  });
}

TEST_CASE("pairings agree with the oracle", "[curve][pairing][vectors]") {
  if (!shared_present("vectors/noble-oracle/pairing.json")) return;
  const auto file = load_json("vectors/noble-oracle/pairing.json");
  REQUIRE(file.at("gt_exponent") == "3*(p^12-1)/r");
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    for (const auto& c : file.at("cases")) {
      INFO(c.at("tag"));
      const auto value = pairing<Bls12_381>(parse<Affine<G1Params>>(c.at("p")),
                                            parse<Affine<G2Params>>(c.at("q")));
      CHECK(value.square() * value == parse<Fq12>(c.at("gt")));
    }
    for (const auto& c : file.at("products")) {
      INFO(c.at("tag"));
      std::vector<PairingTerm<Bls12_381>> terms;
      for (const auto& term : c.at("terms")) {
        terms.push_back({parse<Affine<G1Params>>(term.at(0)), parse<Affine<G2Params>>(term.at(1))});
      }
      CHECK(pairing_check<Bls12_381>(terms) == c.at("is_one").get<bool>());
    }
  });
}
