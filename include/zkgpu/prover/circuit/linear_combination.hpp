// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/circuit/variable.hpp>

namespace zkgpu {

/// coefficient · variable
template <Field F>
struct Term {
  Variable variable;
  F coefficient;
  friend constexpr bool operator==(const Term&, const Term&) = default;
};

/// Σ coefficient · variable. Written as a formula: `Lc(a) + F(2) * Lc(b) - Variable::one()`.
///
/// Terms are kept as they were added; `normalize` merges them.
template <Field F>
class LinearCombination {
 public:
  LinearCombination() = default;
  /// 1 · variable; implicit, so that a variable stands where a combination is asked for.
  LinearCombination(Variable variable) : terms_{{variable, F::one()}} {}  // NOLINT
  LinearCombination(const F& coefficient, Variable variable) : terms_{{variable, coefficient}} {}

  /// The constant `value`, as a multiple of the variable one.
  static LinearCombination constant(const F& value) { return {value, Variable::one()}; }

  LinearCombination& add(const F& coefficient, Variable variable) {
    terms_.push_back({variable, coefficient});
    return *this;
  }
  LinearCombination& operator+=(const LinearCombination& other) {
    terms_.insert(terms_.end(), other.terms_.begin(), other.terms_.end());
    return *this;
  }
  LinearCombination& operator-=(const LinearCombination& other) {
    terms_.reserve(terms_.size() + other.terms_.size());
    for (const Term<F>& term : other.terms_) add(-term.coefficient, term.variable);
    return *this;
  }
  LinearCombination& operator*=(const F& factor) {
    for (Term<F>& term : terms_) term.coefficient = term.coefficient * factor;
    return *this;
  }
  friend LinearCombination operator+(LinearCombination a, const LinearCombination& b) {
    return std::move(a += b);
  }
  friend LinearCombination operator-(LinearCombination a, const LinearCombination& b) {
    return std::move(a -= b);
  }
  friend LinearCombination operator*(const F& factor, LinearCombination a) {
    return std::move(a *= factor);
  }
  LinearCombination operator-() const { return LinearCombination() - *this; }

  [[nodiscard]] std::span<const Term<F>> terms() const noexcept { return terms_; }
  [[nodiscard]] bool is_empty() const noexcept { return terms_.empty(); }

  /// One term a variable, ascending in the order of the wires, no coefficient zero.
  void normalize() {
    if (is_normal()) return;
    sort();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms_.size();) {
      Term<F> sum = terms_[i++];
      for (; i < terms_.size() && terms_[i].variable == sum.variable; ++i) {
        sum.coefficient = sum.coefficient + terms_[i].coefficient;
      }
      if (!sum.coefficient.is_zero()) terms_[kept++] = sum;
    }
    terms_.resize(kept, Term<F>{Variable::one(), F::zero()});
  }

 private:
  [[nodiscard]] bool is_normal() const noexcept {
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (i != 0 && !(terms_[i - 1].variable < terms_[i].variable)) return false;
      if (terms_[i].coefficient.is_zero()) return false;
    }
    return true;
  }
  void sort() {
    constexpr std::size_t few = 16;  // most rows have two or three: no buffer is allocated for them
    const auto before = [](const Term<F>& a, const Term<F>& b) { return a.variable < b.variable; };
    if (terms_.size() > few) {
      std::stable_sort(terms_.begin(), terms_.end(), before);
      return;
    }
    for (auto at = terms_.begin(); at != terms_.end(); ++at) {
      std::rotate(std::upper_bound(terms_.begin(), at, *at, before), at, at + 1);
    }
  }

  std::vector<Term<F>> terms_;
};

}  // namespace zkgpu
