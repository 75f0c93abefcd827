// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/batch/pairing.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/prover/groth16/verify.hpp>

namespace zkgpu {

namespace detail {

/// @param number  of the statement in its batch; none: there is one alone
/// @throws InvalidArgument, see `public_sum`
template <Curve C>
void require_publics(const VerifyingKey<C>& vk, std::span<const typename C::Fr::Integer> publics,
                     std::optional<std::size_t> number = std::nullopt) {
  const auto fail = [&number](const std::string& problem) {
    const std::string where = number ? "statement " + std::to_string(*number) + ": " : "";
    throw InvalidArgument("verify: " + where + problem);
  };
  if (vk.ic.size() != publics.size() + 1) {
    fail("the key has " + std::to_string(vk.num_public()) + " public values, the statement " +
         std::to_string(publics.size()));
  }
  for (std::size_t i = 0; i < publics.size(); ++i) {
    if (!C::Fr::is_canonical(publics[i])) {
      fail("public value " + std::to_string(i) + " is not below the order of the curve");
    }
  }
}

/// Σ_i k_i · P_i with the best instructions of the machine.
template <CurveGroup G>
typename G::Affine best_sum(std::span<const typename G::ScalarField::Integer> scalars,
                            std::span<const typename G::Affine> points) {
  return with_best_cpu([&](const auto& cpu) { return msm<G>(cpu, scalars, points).to_affine(); });
}

/// One of 2^128 - 1 weights, none of them zero, by random numbers a and b of 64 bits: a + b·z²
/// where multiples by z² are known in G1, so that those by the weight take 64 doublings; else a +
/// b·2^64.
template <Curve C>
typename C::Fr::Integer draw_weight(EntropySource& source) {
  using F = typename C::Fr;
  using Integer = typename F::Integer;
  using Params = typename C::G1::Params;
  Integer weight = Integer::zero();
  while (weight.is_zero()) {
    source.fill(std::as_writable_bytes(std::span(weight.limb).first(2)));
  }
  if constexpr (Bls12G1Params<Params>) {
    static_assert(F::bits > 192 && Params::z_magnitude >> 63 == 1,  // |z| < 2^64 < z²
                  "different pairs of numbers must give different weights");
    const auto element = [](std::uint64_t n) { return F::from_integer(Integer::from_uint64(n)); };
    const F z = element(Params::z_magnitude);
    return (element(weight.limb[0]) + element(weight.limb[1]) * z.square()).to_integer();
  } else {
    static_assert(F::bits > 128, "weights of 128 bits need a larger field");
    return weight;
  }
}

/// What a batch adds up to.
template <PairingCurve C>
struct BatchSums {
  using F = typename C::Fr;
  std::vector<PairingTerm<C>> terms;    ///< w_j A_j with B_j
  std::vector<typename F::Integer> ic;  ///< scalars of the ic points
  typename C::G1::Affine alpha, c;      ///< Σ w_j α, Σ w_j C_j

  BatchSums(const VerifyingKey<C>& vk, std::span<const Statement<C>> statements,
            std::span<const typename F::Integer> weights)
      : terms(statements.size()) {
    std::vector<F> columns(vk.ic.size(), F::zero());
    std::vector<typename C::G1::Affine> c_points;
    for (std::size_t j = 0; j < statements.size(); ++j) {
      const F weight = F::from_integer(weights[j]);
      columns[0] = columns[0] + weight;
      for (std::size_t i = 0; i < statements[j].publics.size(); ++i) {
        columns[i + 1] = columns[i + 1] + weight * F::from_integer(statements[j].publics[i]);
      }
      c_points.push_back(statements[j].proof.c);
    }
    for (const F& column : columns) ic.push_back(column.to_integer());
    alpha = scalar_mul(vk.alpha_g1, ic[0]).to_affine();
    c = best_sum<typename C::G1>(weights, c_points);
    oneapi::tbb::parallel_for(std::size_t{0}, statements.size(), [&](std::size_t j) {
      terms[j] = {scalar_mul(statements[j].proof.a, weights[j]).to_affine(), statements[j].proof.b};
    });
  }
};

/// Π f_{z,q}(p) over all terms, on all cores; the same for any number.
template <PairingCurve C>
typename C::Fq12 miller_product(std::span<const PairingTerm<C>> terms) {
  using Fq12 = typename C::Fq12;
  using Range = oneapi::tbb::blocked_range<std::size_t>;
  const std::size_t blocks = (terms.size() + miller_block - 1) / miller_block;
  return oneapi::tbb::parallel_reduce(
      Range(0, blocks), Fq12::one(),
      [&](const Range& range, Fq12 f) {
        for (std::size_t b = range.begin(); b < range.end(); ++b) {
          const std::size_t first = b * miller_block;
          const auto some = terms.subspan(first, std::min(miller_block, terms.size() - first));
          f *= batch::multi_miller_loop<C>(some);
        }
        return f;
      },
      [](const Fq12& f, const Fq12& g) { return f * g; });
}

template <PairingCurve C>
struct LazyPreparedG2<C>::State {
  explicit State(const typename C::G2::Affine& point) : q(point) {}

  typename C::G2::Affine q;
  std::once_flag made;
  std::unique_ptr<const PreparedG2<C>> lines;
};

template <PairingCurve C>
LazyPreparedG2<C>::LazyPreparedG2(const typename C::G2::Affine& q)
    : state_(std::make_shared<State>(q)) {}

template <PairingCurve C>
const PreparedG2<C>& LazyPreparedG2<C>::get() const {
  State& state = *state_;
  with_typed_memory_errors("verify", [&state] {
    std::call_once(state.made,
                   [&state] { state.lines = std::make_unique<const PreparedG2<C>>(state.q); });
  });
  return *state.lines;
}

template <PairingCurve C>
typename C::Fq12 cubed_pairings(std::span<const PairingTerm<C>> terms,
                                std::span<const LazyPreparedG2<C>* const> lines) {
  if (batch::miller_loops_run_in_lanes<C>(terms.size())) {
    return batch::final_exponentiation_cubed<C>(batch::multi_miller_loop<C>(terms));
  }
  const auto others = terms.first(terms.size() - lines.size());
  const auto prepared = with_typed_memory_errors("verify", [&] {
    std::vector<PreparedPairingTerm<C>> made;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      made.push_back({terms[others.size() + i].p, &lines[i]->get()});
    }
    return made;
  });
  return batch::final_exponentiation_cubed<C>(
      multi_miller_loop<C>(others, std::span<const PreparedPairingTerm<C>>(prepared)));
}

/// See `verify_batch`; not for no statement.
template <PairingCurve C>
bool batch_equation_holds(const PreparedVerifyingKey<C>& key,
                          std::span<const Statement<C>> statements, EntropySource& weights) {
  using Fq12 = typename C::Fq12;
  const VerifyingKey<C>& vk = key.key();
  std::vector<typename C::Fr::Integer> w;
  for (std::size_t j = 0; j < statements.size(); ++j) {
    w.push_back(draw_weight<C>(weights));
  }
  BatchSums<C> sums(vk, statements, w);
  const auto x = best_sum<typename C::G1>(sums.ic, vk.ic);
  std::vector<PairingTerm<C>>& terms = sums.terms;
  const typename C::G1::Affine points[] = {-sums.alpha, -x, -sums.c};
  Fq12 fixed = Fq12::one();
  if (batch::miller_loops_run_in_lanes<C>(terms.size())) {
    terms.push_back({points[0], vk.beta_g2});
    terms.push_back({points[1], vk.gamma_g2});
    terms.push_back({points[2], vk.delta_g2});
  } else {
    const PreparedPairingTerm<C> prepared[] = {
        {points[0], &key.beta()}, {points[1], &key.gamma()}, {points[2], &key.delta()}};
    fixed = multi_miller_loop<C>({}, prepared);
  }
  return batch::final_exponentiation_cubed<C>(fixed * miller_product<C>(terms)) == Fq12::one();
}

}  // namespace detail

template <Curve C>
typename C::G1::Affine public_sum(const VerifyingKey<C>& vk,
                                  std::span<const typename C::Fr::Integer> publics) {
  detail::require_publics(vk, publics);
  return with_typed_memory_errors("verify", [&] {
    std::vector<typename C::Fr::Integer> x;
    x.reserve(publics.size() + 1);
    x.push_back(C::Fr::Integer::from_uint64(1));
    x.insert(x.end(), publics.begin(), publics.end());
    return detail::best_sum<typename C::G1>(x, vk.ic);
  });
}

template <Curve C>
bool verify(const PreparedVerifyingKey<C>& key, std::span<const typename C::Fr::Integer> publics,
            const Proof<C>& proof) {
  return key.equation_holds(proof, public_sum<C>(key.key(), publics));
}

template <PairingCurve C>
bool verify_batch(const PreparedVerifyingKey<C>& key, std::span<const Statement<C>> statements,
                  EntropySource& weights) {
  for (std::size_t j = 0; j < statements.size(); ++j) {
    detail::require_publics(key.key(), statements[j].publics, j);
  }
  if (statements.empty()) return true;
  return with_typed_memory_errors(
      "verify", [&] { return detail::batch_equation_holds<C>(key, statements, weights); });
}

}  // namespace zkgpu
