// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/core/config.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/circuit/linear_combination.hpp>
#include <zkgpu/prover/hash/poseidon.hpp>

namespace zkgpu {

namespace detail {

/// The permutation as constraints. Between S-boxes an element is a combination of the variables
/// that the last S-boxes made; all elements share that list of variables and keep a row of
/// coefficients.
///
/// This is the frozen form that Filecoin's keys are made for: every S-box input that is a
/// combination becomes a variable first.
template <ConstraintSystem CS>
class PoseidonCircuit {
 public:
  using F = typename CS::Scalar;
  using Lc = LinearCombination<F>;

  PoseidonCircuit(CS& cs, const PoseidonConstants<F>& constants)
      : cs_(cs),
        constants_(constants),
        width_(constants.rounds.width),
        key_(constants.keys.data()) {}

  Variable run(const F& tag, std::span<const Variable> preimage) {
    constexpr unsigned half = PoseidonRounds::full / 2;
    first_round(tag, preimage);
    for (unsigned round = 1; round < half; ++round) {
      full_round(round + 1 < half ? constants_.mds : constants_.pre_sparse, true);
    }
    for (unsigned round = 0; round < constants_.rounds.partial; ++round) partial_round(round);
    for (unsigned round = 0; round < half; ++round) full_round(constants_.mds, round + 1 < half);
    return allocate_element(1);
  }

 private:
  /// a = x², b = a², c = b·x + key for x = variable + offset; the rows of one S-box.
  Variable sbox(Variable variable, const F* offset, const F& key) {
    Lc x;
    if constexpr (wants_rows<CS>) {
      x.add(F::one(), variable);
      if (offset != nullptr) x.add(*offset, Variable::one());
    }
    const auto value_of_x = [&] {
      return offset == nullptr ? cs_.value(variable) : cs_.value(variable) + *offset;
    };
    const Variable a = cs_.allocate([&] { return value_of_x().square(); });
    enforce_as(
        cs_, [&] { cs_.enforce(x, x, a); },
        [&] {
          return RowValues<F>{value_of_x(), value_of_x()};
        });
    const Variable b = cs_.allocate([&] { return cs_.value(a).square(); });
    enforce_as(
        cs_, [&] { cs_.enforce(a, a, b); },
        [&] {
          return RowValues<F>{cs_.value(a), cs_.value(a)};
        });
    const Variable c = cs_.allocate([&] { return cs_.value(b) * value_of_x() + key; });
    enforce_as(
        cs_,
        [&] {
          Lc fifth(c);
          if (!key.is_zero()) fifth.add(-key, Variable::one());
          cs_.enforce(x, b, fifth);
        },
        [&] {
          return RowValues<F>{value_of_x(), cs_.value(b)};
        });
    return c;
  }

  /// Element 0 is the tag, a constant, and the others are variables: nothing is allocated for
  /// inputs, and nothing at all for element 0.
  void first_round(const F& tag, std::span<const Variable> preimage) {
    const F* const offsets = key_;
    key_ += width_;
    const F constant = detail::fifth_power(tag + offsets[0]) + *key_++;
    std::vector<Variable> outputs{Variable::one()};
    for (std::size_t i = 1; i < width_; ++i) {
      outputs.push_back(sbox(preimage[i - 1], &offsets[i], *key_++));
    }
    become(std::move(outputs), constants_.mds);
    for (Element& element : elements_) element.coefficients[0] *= constant;
    if constexpr (CS::has_values) {
      for (std::size_t j = 0; j < width_; ++j) {
        elements_[j].value += (constant - F::one()) * constants_.mds[j];
      }
    }
  }

  void full_round(std::span<const F> matrix, bool has_key) {
    std::vector<Variable> outputs;
    for (std::size_t i = 0; i < width_; ++i) {
      const Variable x = allocate_element(i);
      outputs.push_back(sbox(x, nullptr, has_key ? *key_++ : F::zero()));
    }
    become(std::move(outputs), matrix);
  }

  void partial_round(unsigned round) {
    const Variable c = sbox(allocate_element(0), nullptr, *key_++);
    const std::span<const F> factor = constants_.sparse_of(round);
    Element first{std::vector<F>(variables_.size(), F::zero()), F::zero()};
    for (std::size_t i = 1; i < width_; ++i) {
      for (std::size_t k = 0; wants_rows<CS> && k < variables_.size(); ++k) {
        first.coefficients[k] += factor[i] * elements_[i].coefficients[k];
      }
      if constexpr (CS::has_values) first.value += factor[i] * elements_[i].value;
    }
    elements_[0] = std::move(first);
    variables_.push_back(c);
    for (std::size_t j = 0; j < width_; ++j) {
      const F& weight = factor[j == 0 ? 0 : width_ + j - 1];
      elements_[j].coefficients.push_back(weight);
      if constexpr (CS::has_values) elements_[j].value += weight * cs_.value(c);
    }
  }

  /// The new state after a dense matrix: new[j] = Σ_i outputs[i] · m[i][j].
  void become(std::vector<Variable> outputs, std::span<const F> matrix) {
    variables_ = std::move(outputs);
    elements_.assign(width_, {});
    for (std::size_t j = 0; j < width_; ++j) {
      for (std::size_t i = 0; i < width_; ++i) {
        elements_[j].coefficients.push_back(matrix[i * width_ + j]);
        if constexpr (CS::has_values) {
          elements_[j].value += cs_.value(variables_[i]) * matrix[i * width_ + j];
        }
      }
    }
  }

  /// A variable for element i: combination · 1 = v.
  Variable allocate_element(std::size_t i) {
    const Variable v = cs_.allocate([&] { return elements_[i].value; });
    enforce_as(
        cs_,
        [&] {
          Lc sum;
          for (std::size_t k = 0; k < variables_.size(); ++k) {
            sum.add(elements_[i].coefficients[k], variables_[k]);
          }
          cs_.enforce(sum, Variable::one(), v);
        },
        [&] {
          return RowValues<F>{elements_[i].value, F::one()};
        });
    return v;
  }

  struct Element {
    std::vector<F> coefficients;  ///< of variables_
    F value{};                    ///< of a witness: wiped

    Element() = default;
    Element(std::vector<F> c, const F& v) : coefficients(std::move(c)), value(v) {}
    Element(Element&&) noexcept = default;
    Element(const Element&) = default;
    Element& operator=(Element&&) noexcept = default;
    Element& operator=(const Element&) = default;
    ~Element() { secure_wipe(value); }
  };

  CS& cs_;
  const PoseidonConstants<F>& constants_;
  std::size_t width_;
  const F* key_;  ///< the next one
  std::vector<Variable> variables_;
  std::vector<Element> elements_;
};

}  // namespace detail

/// The hash of a tree node's children, a variable.
/// @param preimage  as many variables as the hash takes
/// @cost  3·arity + 28·(arity + 1) + 4·(partial rounds) + 1 constraints and variables: 505 for
///   arity 8
template <ConstraintSystem CS>
Variable poseidon_hash(CS& cs, const Poseidon<typename CS::Scalar>& poseidon,
                       std::span<const Variable> preimage) {
  ZKGPU_ASSERT(preimage.size() == poseidon.arity());
  return detail::PoseidonCircuit<CS>(cs, poseidon.constants()).run(poseidon.tree_tag(), preimage);
}

}  // namespace zkgpu
