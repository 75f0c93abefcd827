// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace zkgpu {

/// Laws: (F,+) and (F∖{0},·) are abelian groups; distributive; a.square() == a·a; a.doubled() ==
/// a+a; zero().inverse() == zero().
template <class F>
concept Field = std::regular<F> && std::is_trivially_copyable_v<F> &&
    requires(const F a, const F b) {
  { F::zero() } -> std::same_as<F>;
  { F::one() } -> std::same_as<F>;
  { -a } -> std::same_as<F>;
  { a + b } -> std::same_as<F>;
  { a - b } -> std::same_as<F>;
  { a* b } -> std::same_as<F>;
  { a.square() } -> std::same_as<F>;
  { a.doubled() } -> std::same_as<F>;
  { a.inverse() } -> std::same_as<F>;
  { a.is_zero() } -> std::same_as<bool>;
};

/// Laws: from_integer and to_integer are inverse to each other on [0, modulus) and respect +, ·.
template <class F>
concept PrimeField = Field<F> && requires(const F a, typename F::Integer n) {
  { F::bits } -> std::convertible_to<std::size_t>;
  { F::modulus() } -> std::same_as<typename F::Integer>;
  { F::from_integer(n) } -> std::same_as<F>;
  { a.to_integer() } -> std::same_as<typename F::Integer>;
};

/// Laws: root_of_unity(k) has order exactly 2^k, and root_of_unity(k)² == root_of_unity(k-1).
template <class F>
concept NttField = PrimeField<F> && requires(unsigned log_n) {
  { F::two_adicity } -> std::convertible_to<unsigned>;
  { F::root_of_unity(log_n) } -> std::same_as<F>;
};

}  // namespace zkgpu
