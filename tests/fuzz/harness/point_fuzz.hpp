// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "fuzz_target.hpp"

#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/curve/jacobian.hpp>

namespace zkgpu::fuzz {

/// The textbook's membership test: r·p by double-and-add.
template <CurveGroup G>
bool has_prime_order(const typename G::Affine& p) {
  using J = typename G::Jacobian;
  return scalar_mul_double_and_add(J::from_affine(p), G::ScalarField::modulus()).is_infinity();
}

template <CurveGroup G>
void check_decoded(PointStatus checked, PointStatus unchecked, const typename G::Affine& point) {
  if (checked == PointStatus::ok) {
    require(unchecked == PointStatus::ok, "what the checked decoder accepts, the other does too");
    require(point.is_on_curve(), "an accepted point is on the curve");
    require(has_prime_order<G>(point), "an accepted point has prime order");
  }
  if (checked == PointStatus::not_in_subgroup) {
    require(!has_prime_order<G>(point), "a point refused by its order has another order");
  }
}

/// Both encodings of a point: accepted bytes come back, and the fast membership test agrees with
/// the slow one.
template <CurveGroup G>
void check_point_decoders(Input bytes) {
  using Affine = typename G::Affine;
  Affine checked{};
  Affine point{};
  const PointStatus compressed = decode_compressed(bytes, checked);
  const PointStatus compressed_form = decode_compressed_unchecked(bytes, point);
  check_decoded<G>(compressed, compressed_form, point);
  if (compressed_form == PointStatus::ok) {
    require(point.is_on_curve(), "a decompressed point is on the curve");
    require(equal(encode_compressed(point), bytes), "compressed bytes come back");
  }
  if (compressed == PointStatus::ok) require(checked == point, "both decoders agree");

  const PointStatus plain = decode_uncompressed(bytes, checked);
  const PointStatus plain_form = decode_uncompressed_unchecked(bytes, point);
  check_decoded<G>(plain, plain_form, point);
  if (plain_form == PointStatus::ok) {
    require(equal(encode_uncompressed(point), bytes), "uncompressed bytes come back");
    require((plain == PointStatus::not_on_curve) == !point.is_on_curve(), "on the curve or not");
  }
  require(compressed_form != PointStatus::ok || plain_form != PointStatus::ok,
          "no bytes are both encodings");
}

}  // namespace zkgpu::fuzz
