// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <zkgpu/batch/multiples_impl.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/curve/fixed_base.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/qap/at_point.hpp>
#include <zkgpu/prover/qap/quotient.hpp>

namespace zkgpu {

namespace detail {

/// Makes one key: scalars first, then their multiples of the generators.
template <Curve C>
class KeyGenerator {
  using F = typename C::Fr;
  using Integer = typename F::Integer;
  using Scalars = SecretArray<F>;

 public:
  KeyGenerator(const R1cs<F>& r1cs, const ToxicWaste<F>& waste, KeyForm form,
               ProgressObserver* observer)
      : r1cs_(r1cs), waste_(waste), form_(form), observer_(observer) {}

  ProvingKey<C> make() {
    set_domain();
    const QapAtPoint<F> at = qap_at_point(r1cs_, domain_, waste_.tau);
    if (observer_ != nullptr) observer_->begin("make the key", units(at));
    const FixedBaseTable<typename C::G1> g1(C::G1::generator(), window_bits());
    const FixedBaseTable<typename C::G2> g2(C::G2::generator(), window_bits());
    set_head(g1, g2);
    set_queries(at, g1, g2);
    multiples(g1, h_scalars(), key_.h, "h");
    if (form_ == KeyForm::snarkjs) {
      key_.a_matrix = with_input_rows(r1cs_.a, true);
      key_.b_matrix = with_input_rows(r1cs_.b, false);
    }
    return std::move(key_);
  }

 private:
  void set_domain() {
    const bool snarkjs = form_ == KeyForm::snarkjs;
    const F generator = snarkjs ? smallest_non_residue<F>() : F::generator();
    const std::size_t rows = domain_rows(r1cs_);
    // The coset of the quotient lies in the domain of twice the size.
    constexpr unsigned most = F::two_adicity < 32 ? F::two_adicity - 1 : 31;
    unsigned log_n = 0;
    while (log_n < most && (std::size_t{1} << log_n) < rows) ++log_n;
    if ((std::size_t{1} << log_n) < rows) {
      throw InvalidArgument("key generation: " + std::to_string(rows) +
                            " rows do not fit a domain of 2^" + std::to_string(most));
    }
    const auto quotient = QuotientDomain<F>::from_generator(log_n, generator);
    domain_ = quotient.domain;
    key_.h_basis = snarkjs ? HBasis::lagrange_odd_coset : HBasis::tau_powers;
    key_.layout = snarkjs ? QueryLayout::per_wire : QueryLayout::filtered;
    key_.num_wires = r1cs_.num_wires;
    key_.log_domain = log_n;
    key_.domain_generator = domain_.root;
    key_.coset_shift = snarkjs ? quotient.shift : F::generator();
    if (waste_.gamma.is_zero() || waste_.delta.is_zero()) {
      throw InvalidArgument("key generation: gamma or delta is zero");
    }
    inverses_.gamma = waste_.gamma.inverse_constant_time();
    inverses_.delta = waste_.delta.inverse_constant_time();
  }

  /// For about four points a wire in G1, one in G2. Wider windows than 15 bits gain nothing: 17
  /// additions a point become 16, but their tables take 151 MB instead of 80.
  [[nodiscard]] unsigned window_bits() const noexcept {
    return std::min(15U, FixedBaseTable<typename C::G1>::window_bits_for(
                             4 * std::size_t{r1cs_.num_wires} + domain_.size()));
  }

  void set_head(const FixedBaseTable<typename C::G1>& g1,
                const FixedBaseTable<typename C::G2>& g2) {
    const auto in_g1 = [&](const F& k) { return g1.multiply(k.to_integer()).to_affine(); };
    const auto in_g2 = [&](const F& k) { return g2.multiply(k.to_integer()).to_affine(); };
    key_.vk.alpha_g1 = in_g1(waste_.alpha);
    key_.vk.beta_g2 = in_g2(waste_.beta);
    key_.vk.gamma_g2 = in_g2(waste_.gamma);
    key_.vk.delta_g2 = in_g2(waste_.delta);
    key_.beta_g1 = in_g1(waste_.beta);
    key_.delta_g1 = in_g1(waste_.delta);
  }

  void set_queries(const QapAtPoint<F>& at, const FixedBaseTable<typename C::G1>& g1,
                   const FixedBaseTable<typename C::G2>& g2) {
    const std::size_t inputs = std::size_t{r1cs_.num_public} + 1;
    Scalars ic(inputs);
    Scalars l(r1cs_.num_wires - inputs);
    for (std::size_t i = 0; i < r1cs_.num_wires; ++i) {
      const F k = waste_.beta * at.u[i] + waste_.alpha * at.v[i] + at.w[i];
      if (i < inputs) {
        ic[i] = k * inverses_.gamma;
        continue;
      }
      if (k.is_zero() && form_ == KeyForm::bellman) {
        throw InvalidArgument("key generation: wire " + std::to_string(i) +
                              " occurs in no constraint");
      }
      l[i - inputs] = k * inverses_.delta;
    }
    multiples(g1, ic, key_.vk.ic, "ic");
    multiples(g1, l, key_.l, "l");
    multiples(g1, kept(at.u), key_.a, "a");
    const Scalars v = kept(at.v);
    multiples(g1, v, key_.b_g1, "b_g1");
    multiples(g2, v, key_.b_g2, "b_g2");
  }

  /// What a point costs, in points of G1: a product in Fq2 takes three of Fq.
  template <CurveGroup G>
  static constexpr std::uint64_t cost = std::same_as<G, typename C::G1> ? 1 : 3;

  /// The work of all points.
  [[nodiscard]] std::uint64_t units(const QapAtPoint<F>& at) const {
    const auto points = [&](const Scalars& column) -> std::uint64_t {
      if (form_ == KeyForm::snarkjs) return column.size();
      return static_cast<std::uint64_t>(std::count_if(
          column.begin(), column.end(), [](const F& value) { return !value.is_zero(); }));
    };
    const std::uint64_t h = domain_.size() - (form_ == KeyForm::bellman ? 1 : 0);
    return r1cs_.num_wires + points(at.u) + points(at.v) * (1 + cost<typename C::G2>)+h;
  }

  /// The column values that get a point.
  [[nodiscard]] Scalars kept(const Scalars& column) const {
    if (form_ == KeyForm::snarkjs) return column;
    Scalars out;
    out.reserve(column.size());
    for (const F& value : column) {
      if (!value.is_zero()) out.push_back(value);
    }
    return out;
  }

  /// bellman: τ^i Z(τ)/δ for i < n − 1. snarkjs: −Z(τ) L_j(τ)/(2δ) with L_j of the odd coset,
  /// because h(τ) = Σ h(x_j) L_j(τ) and the prover's scalars are −2 h(x_j).
  [[nodiscard]] Scalars h_scalars() const {
    const F z = power_of_two_power(waste_.tau, domain_.log_n) - F::one();
    if (form_ == KeyForm::bellman) {
      Scalars h(domain_.size() - 1);
      F term = z * inverses_.delta;
      for (F& value : h) {
        value = term;
        term = term * waste_.tau;
      }
      return h;
    }
    Scalars h = lagrange_at(domain_, key_.coset_shift, waste_.tau);
    const F factor = -(z * inverses_.delta * F::one().doubled().inverse());
    for (F& value : h) value = value * factor;
    return h;
  }

  /// scalars[i] · base of the table, on all threads.
  template <CurveGroup G>
  void multiples(const FixedBaseTable<G>& table, const Scalars& scalars,
                 Array<typename G::Affine>& out, const char* name) const {
    if (observer_ != nullptr) observer_->step(name);
    out.resize(scalars.size());
    // At most 8 blocks of sums in G1, 16 in G2; for few scalars, some for every thread.
    const auto threads = static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
    const std::size_t grain =
        std::clamp(scalars.size() / (4 * threads), std::size_t{256}, std::size_t{1} << 14);
    using Range = oneapi::tbb::blocked_range<std::size_t>;
    const auto piece = [&](const Range& range) {
      const StackWipe wipe;  // of this thread
      multiply<G>(table, std::span(scalars).subspan(range.begin(), range.size()),
                  std::span(out).subspan(range.begin(), range.size()));
      if (observer_ != nullptr) observer_->advance(cost<G> * range.size());
    };
    oneapi::tbb::parallel_for(Range(0, scalars.size(), grain), piece,
                              oneapi::tbb::simple_partitioner());
  }

  /// In a frame of its own, which is wiped when it has returned.
  template <CurveGroup G>
  [[gnu::noinline]] static void multiply(const FixedBaseTable<G>& table, std::span<const F> scalars,
                                         std::span<typename G::Affine> out) {
    SecretArray<Integer> integers(scalars.size());
    for (std::size_t i = 0; i < scalars.size(); ++i) integers[i] = scalars[i].to_integer();
    batch::multiples<G>(table, integers, out);
  }

  /// The matrix with its input rows (`ones`: wire i in row i; else empty), up to the domain's size.
  [[nodiscard]] CsrMatrix<F> with_input_rows(const CsrMatrix<F>& matrix, bool ones) const {
    CsrMatrix<F> out = matrix;
    if (out.row_start.empty()) out.row_start.push_back(0);
    for (std::uint32_t wire = 0; wire <= r1cs_.num_public; ++wire) {
      if (ones) {
        out.column.push_back(wire);
        out.value.push_back(F::one());
      }
      out.row_start.push_back(out.column.size());
    }
    out.row_start.resize(domain_.size() + 1, out.column.size());
    return out;
  }

  /// Whoever knows 1/delta, or 1/gamma, forges proofs.
  struct Inverses {
    F gamma{}, delta{};
    Inverses() = default;
    Inverses(const Inverses&) = delete;
    Inverses& operator=(const Inverses&) = delete;
    ~Inverses() {
      secure_wipe(gamma);
      secure_wipe(delta);
    }
  };

  const R1cs<F>& r1cs_;
  const ToxicWaste<F>& waste_;
  KeyForm form_;
  ProgressObserver* observer_;
  ProvingKey<C> key_;
  NttDomain<F> domain_;
  Inverses inverses_;
};

/// In a frame of its own, which is wiped when it has returned.
template <Curve C>
[[gnu::noinline]] ProvingKey<C> make_key(const R1cs<typename C::Fr>& r1cs,
                                         const ToxicWaste<typename C::Fr>& waste, KeyForm form,
                                         ProgressObserver* observer) {
  return KeyGenerator<C>(r1cs, waste, form, observer).make();
}

}  // namespace detail

template <Curve C>
ProvingKey<C> generate_key(const R1cs<typename C::Fr>& r1cs,
                           const ToxicWaste<typename C::Fr>& waste, KeyForm form,
                           ProgressObserver* observer) {
  if (r1cs.num_wires == 0 || r1cs.num_public >= r1cs.num_wires || r1cs.b.rows() != r1cs.a.rows() ||
      r1cs.c.rows() != r1cs.a.rows()) {
    throw InvalidArgument("key generation: the constraint system has no wires or uneven matrices");
  }
  const StackWipe wipe;
  return with_typed_memory_errors("key generation",
                                  [&] { return detail::make_key<C>(r1cs, waste, form, observer); });
}

}  // namespace zkgpu
