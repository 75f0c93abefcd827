// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/io/json/decimal.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>
#include <zkgpu/prover/io/key/key_rules_impl.hpp>
#include <zkgpu/prover/io/key/point_checks_impl.hpp>

namespace zkgpu::io {

namespace detail {

template <PrimeField F>
typename F::Integer json_integer(const JsonReader& at, const char* bound) {
  typename F::Integer n;
  if (!parse_decimal(at.digits(), n)) at.fail("not a canonical decimal number in range");
  if (!F::is_canonical(n)) at.fail(std::string("not below ") + bound);
  return n;
}

/// A coordinate of G1: a number.
template <PrimeFieldParams P>
void json_coordinate(const JsonReader& at, Fp<P>& x) {
  x = Fp<P>::from_integer(json_integer<Fp<P>>(at, "q"));
}
/// A coordinate of G2: [c0, c1].
template <PrimeField F>
void json_coordinate(const JsonReader& at, Fp2<F>& x) {
  at.expect_array(2);
  json_coordinate(at.at(std::size_t{0}), x.c0);
  json_coordinate(at.at(1), x.c1);
}

/// [x, y, 1], or [0, 1, 0] for infinity. Infinity is returned, not judged.
template <CurveGroup G>
typename G::Affine json_point_unchecked(const JsonReader& at) {
  using F = typename G::BaseField;
  typename G::Affine point;
  F z;
  at.expect_array(3);
  json_coordinate(at.at(std::size_t{0}), point.x);
  json_coordinate(at.at(1), point.y);
  json_coordinate(at.at(2), z);
  if (z == F::one()) return point;
  const bool infinity = z.is_zero() && point.x.is_zero() && point.y == F::one();
  if (!infinity) at.fail("third coordinate is not 1: the point is not affine");
  return G::Affine::infinity();
}

template <CurveGroup G>
typename G::Affine json_point(const JsonReader& at, bool infinity_allowed) {
  const auto point = json_point_unchecked<G>(at);
  if (const std::string problem = point_problem<G>(point, infinity_allowed); !problem.empty()) {
    at.fail(problem);
  }
  return point;
}

template <Curve C>
void expect_groth16(const JsonReader& root) {
  if (const std::string& protocol = root.at("protocol").string(); protocol != "groth16") {
    root.at("protocol")
        .fail("protocol " + printable(protocol) + " is not supported, only 'groth16'");
  }
  if (!root.has("curve")) return;
  const std::string& curve = root.at("curve").string();
  for (const std::string_view name : CurveNames<C>::names) {
    if (curve == name) return;
  }
  root.at("curve").fail("unsupported curve " + printable(curve) + ", expected '" +
                        std::string(CurveNames<C>::names[0]) + "'");
}

/// e(alpha, beta) as ffjavascript computes it: its final exponentiation is three times the exact
/// one.
template <Curve C>
typename C::Fq12 alpha_beta(const VerifyingKey<C>& vk) {
  const PairingTerm<C> term{vk.alpha_g1, vk.beta_g2};
  return batch::final_exponentiation_cubed<C>(
      batch::multi_miller_loop<C>(std::span<const PairingTerm<C>>(&term, 1)));
}

/// The twelve coefficients of e(alpha, beta): over w, three over v each, two over u each.
template <Curve C>
typename C::Fq12 json_alpha_beta(const JsonReader& at) {
  typename C::Fq12 value{};
  at.expect_array(2);
  for (std::size_t i = 0; i < 2; ++i) {
    auto& half = i == 0 ? value.c0 : value.c1;
    at.at(i).expect_array(3);
    json_coordinate(at.at(i).at(std::size_t{0}), half.c0);
    json_coordinate(at.at(i).at(1), half.c1);
    json_coordinate(at.at(i).at(2), half.c2);
  }
  return value;
}

template <Curve C>
Array<typename C::G1::Affine> json_ic(const JsonReader& at, std::uint64_t num_public) {
  using G1 = typename C::G1;
  if (at.array_size() == 0 || at.array_size() - 1 != num_public) {
    at.fail(std::to_string(at.array_size()) +
            " points do not fit nPublic = " + std::to_string(num_public));
  }
  Array<typename G1::Affine> ic(at.array_size());
  for (std::size_t i = 0; i < ic.size(); ++i) ic[i] = json_point_unchecked<G1>(at.at(i));
  const std::size_t bad = first_point_with_problem<G1>(ic, false);
  if (bad != ic.size()) at.at(bad).fail(point_problem<G1>(ic[bad], false));
  return ic;
}

/// Writes JSON with one space of indentation a level.
class JsonWriter {
 public:
  std::string text;

  void open(char bracket) {
    element();
    text += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) line();
    text += bracket;
    first_ = false;
  }
  void key(std::string_view name) {
    element();
    text += '"';
    text += name;
    text += "\": ";
    after_key_ = true;
  }
  void string(std::string_view value) {
    element();
    text += '"';
    text += value;
    text += '"';
  }
  void number(std::size_t value) {
    element();
    text += std::to_string(value);
  }

  template <PrimeFieldParams P>
  void coordinate(const Fp<P>& x) {
    string(to_decimal(x.to_integer()));
  }
  template <PrimeField F>
  void coordinate(const Fp2<F>& x) {
    open('[');
    coordinate(x.c0);
    coordinate(x.c1);
    close(']');
  }
  template <CurveParams P>
  void point(const Affine<P>& p) {
    using F = typename P::BaseField;
    const bool infinity = p.is_infinity();
    open('[');
    coordinate(p.x);
    coordinate(infinity ? F::one() : p.y);
    coordinate(infinity ? F::zero() : F::one());
    close(']');
  }

 private:
  /// Called in front of every value or key.
  void element() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (depth_ == 0) return;
    if (!first_) text += ',';
    first_ = false;
    line();
  }
  void line() {
    text += '\n';
    text.append(depth_, ' ');
  }
  std::size_t depth_ = 0;
  bool first_ = true;
  bool after_key_ = false;
};

}  // namespace detail

template <Curve C>
VerifyingKey<C> parse_verification_key_json(std::span<const std::byte> text,
                                            const std::string& file, bool allow_insecure) {
  static constexpr std::string_view keys[] = {"protocol",   "curve",     "nPublic",
                                              "vk_alpha_1", "vk_beta_2", "vk_gamma_2",
                                              "vk_delta_2", "IC",        "vk_alphabeta_12"};
  const JsonValue value = parse_json(text, file);
  const JsonReader root(value, file, "");
  root.expect_keys(keys, 8);
  detail::expect_groth16<C>(root);
  const JsonReader count = root.at("nPublic");
  Limbs<1> num_public{};
  if (count.value().kind != JsonKind::number || !parse_decimal(count.digits(), num_public)) {
    count.fail("not a number");
  }
  VerifyingKey<C> vk;
  vk.alpha_g1 = detail::json_point<typename C::G1>(root.at("vk_alpha_1"), true);
  vk.beta_g2 = detail::json_point<typename C::G2>(root.at("vk_beta_2"), true);
  vk.gamma_g2 = detail::json_point<typename C::G2>(root.at("vk_gamma_2"), true);
  vk.delta_g2 = detail::json_point<typename C::G2>(root.at("vk_delta_2"), true);
  vk.ic = detail::json_ic<C>(root.at("IC"), num_public.limb[0]);
  if (root.has("vk_alphabeta_12")) {
    const JsonReader at = root.at("vk_alphabeta_12");
    if (!(detail::json_alpha_beta<C>(at) == detail::alpha_beta(vk))) {
      at.fail("not the pairing of alpha and beta");
    }
  }
  if (!allow_insecure) check_key_rules(vk, file);
  return vk;
}

template <Curve C>
Proof<C> parse_proof_json(std::span<const std::byte> text, const std::string& file) {
  static constexpr std::string_view keys[] = {"pi_a", "pi_b", "pi_c", "protocol", "curve"};
  const JsonValue value = parse_json(text, file);
  const JsonReader root(value, file, "");
  root.expect_keys(keys, 4);
  detail::expect_groth16<C>(root);
  Proof<C> proof;
  proof.a = detail::json_point<typename C::G1>(root.at("pi_a"), false);
  proof.b = detail::json_point<typename C::G2>(root.at("pi_b"), false);
  proof.c = detail::json_point<typename C::G1>(root.at("pi_c"), false);
  return proof;
}

template <Curve C>
std::vector<typename C::Fr::Integer> parse_public_json(std::span<const std::byte> text,
                                                       const std::string& file) {
  const JsonValue value = parse_json(text, file);
  const JsonReader root(value, file, "public values");
  std::vector<typename C::Fr::Integer> values(root.array_size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = detail::json_integer<typename C::Fr>(root.at(i), "r");
  }
  return values;
}

template <Curve C>
std::string verification_key_json(const VerifyingKey<C>& vk, bool with_alpha_beta) {
  detail::JsonWriter out;
  out.open('{');
  out.key("protocol");
  out.string("groth16");
  out.key("curve");
  out.string(CurveNames<C>::names[0]);
  out.key("nPublic");
  out.number(vk.num_public());
  out.key("vk_alpha_1");
  out.point(vk.alpha_g1);
  out.key("vk_beta_2");
  out.point(vk.beta_g2);
  out.key("vk_gamma_2");
  out.point(vk.gamma_g2);
  out.key("vk_delta_2");
  out.point(vk.delta_g2);
  if (with_alpha_beta) {
    const auto value = detail::alpha_beta(vk);
    out.key("vk_alphabeta_12");
    out.open('[');
    for (const auto* half : {&value.c0, &value.c1}) {
      out.open('[');
      for (const auto* pair : {&half->c0, &half->c1, &half->c2}) out.coordinate(*pair);
      out.close(']');
    }
    out.close(']');
  }
  out.key("IC");
  out.open('[');
  for (const auto& point : vk.ic) out.point(point);
  out.close(']');
  out.close('}');
  return std::move(out.text);
}

template <Curve C>
std::string proof_json(const Proof<C>& proof) {
  detail::JsonWriter out;
  out.open('{');
  out.key("pi_a");
  out.point(proof.a);
  out.key("pi_b");
  out.point(proof.b);
  out.key("pi_c");
  out.point(proof.c);
  out.key("protocol");
  out.string("groth16");
  out.key("curve");
  out.string(CurveNames<C>::names[0]);
  out.close('}');
  return std::move(out.text);
}

template <Curve C>
std::string public_json(std::span<const typename C::Fr::Integer> values) {
  detail::JsonWriter out;
  out.open('[');
  for (const auto& value : values) out.string(to_decimal(value));
  out.close(']');
  return std::move(out.text);
}

}  // namespace zkgpu::io
