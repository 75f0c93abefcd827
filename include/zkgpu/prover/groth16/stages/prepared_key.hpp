// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/ntt/ntt.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/r1cs/density.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>
#include <zkgpu/prover/r1cs/shape.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

namespace zkgpu {

/// A key as the stages need it: rows, domain, densities, all checked to fit together.
template <Curve C>
struct PreparedProvingKey {
  using F = typename C::Fr;

  const ProvingKey<C>& key;
  const R1cs<F>* r1cs;
  DomainRows<F> rows;
  std::optional<Density> density;  ///< only for filtered queries
  NttDomain<F> domain;
  QuotientForm form;
  F coset_shift;

  /// @param r1cs_   the constraint system; null where the key carries matrices, or there is a shape
  /// @param shape   instead of the system, where the rows are made with the witness; or null
  PreparedProvingKey(const ProvingKey<C>& key_, const R1cs<F>* r1cs_,
                     const R1csShape* shape = nullptr)
      : key(key_),
        r1cs(r1cs_),
        rows(choose_rows(key_, r1cs_, shape)),
        domain(domain_of(key_)),
        form(key_.h_basis == HBasis::tau_powers ? QuotientForm::coefficients
                                                : QuotientForm::odd_coset_values),
        // Any half coset gives the same coefficients; values are wanted on the key's own.
        coset_shift(form == QuotientForm::coefficients ? NttDomain<F>(key_.log_domain + 1).root
                                                       : key_.coset_shift) {
    require(!key.vk.ic.empty(), "it has no point for the constant one");
    if (key.layout == QueryLayout::filtered) {
      density = shape != nullptr ? shape->density : density_of(*r1cs);
    }
    require(rows.size() <= key.domain_size(), "more rows than the domain has elements");
    require(key.vk.ic.size() + key.l.size() == key.num_wires,
            "the counts of ic, l and wires differ");
    require(key.h.size() == quotient_size(form, key.domain_size()), "the count of h is wrong");
    require(key.a.size() == points_of(a_wires()), "the count of a is wrong");
    require(key.b_g1.size() == points_of(b_wires()) && key.b_g2.size() == key.b_g1.size(),
            "the count of b is wrong");
  }

  /// The wires that have points in a and in b; null where each wire has one.
  [[nodiscard]] const WireSet* a_wires() const noexcept { return density ? &density->a : nullptr; }
  [[nodiscard]] const WireSet* b_wires() const noexcept { return density ? &density->b : nullptr; }

 private:
  static void require(bool fits, const char* what) {
    if (!fits) throw InvalidArgument(std::string("prover: key and circuit do not fit: ") + what);
  }
  [[nodiscard]] std::size_t points_of(const WireSet* wires) const noexcept {
    return wires == nullptr ? key.num_wires : wires->count();
  }
  static DomainRows<F> choose_rows(const ProvingKey<C>& key, const R1cs<F>* r1cs,
                                   const R1csShape* shape) {
    if (shape != nullptr) {
      require(r1cs == nullptr, "there is a constraint system and a shape: give one of them");
      require(shape->num_wires == key.num_wires && shape->num_public == key.num_public(),
              "they have different numbers of wires or public values");
      return DomainRows<F>::made_with_witness(shape->constraints, shape->num_public);
    }
    if (r1cs != nullptr) {
      require(r1cs->num_wires == key.num_wires && r1cs->num_public == key.num_public(),
              "they have different numbers of wires or public values");
    }
    if (key.has_matrices()) {
      require(key.b_matrix.rows() == key.a_matrix.rows(), "A and B have different numbers of rows");
      return DomainRows<F>::of(key.a_matrix, key.b_matrix);
    }
    if (r1cs == nullptr) {
      throw InvalidArgument("prover: this key carries no constraints; give the constraint system");
    }
    return DomainRows<F>::of(*r1cs);
  }
  static NttDomain<F> domain_of(const ProvingKey<C>& key) {
    require(key.layout == QueryLayout::per_wire || !key.has_matrices(),
            "filtered queries want the constraint system");
    NttDomain<F> domain;
    domain.log_n = key.log_domain;
    domain.root = key.domain_generator;
    return domain;
  }
};

}  // namespace zkgpu
