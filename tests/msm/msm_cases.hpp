// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/jacobian.hpp>

/// Multi-scalar multiplications whose result is known cheaply: the bases are mᵢ·G with known mᵢ, so
/// the sum is (Σ kᵢ·mᵢ)·G. And the kinds of scalars and bases that break implementations.
namespace zkgpu::test {

/// A number below F's modulus.
template <class F>
typename F::Integer random_scalar(std::mt19937_64& random) {
  typename F::Integer n;
  do {
    for (auto& limb : n.limb) limb = random();
    n.limb[F::limb_count - 1] >>= 64 * F::limb_count - F::bits;
  } while (!F::is_canonical(n));
  return n;
}

template <CurveGroup G>
class KnownBases {
 public:
  using Fr = typename G::ScalarField;
  using Affine = typename G::Affine;
  using Jacobian = typename G::Jacobian;

  /// mᵢ = start + i·step. Both are random, so that no two bases are related in a way that hides
  /// errors.
  KnownBases(std::size_t n, std::mt19937_64& random) : multiples_(n), bases_(n) {
    const auto start = random_scalar<Fr>(random), step = random_scalar<Fr>(random);
    const Jacobian g = Jacobian::from_affine(G::generator());
    std::vector<Jacobian> points(n);
    std::vector<typename G::BaseField> scratch(n);
    Jacobian p = scalar_mul_double_and_add(g, start);
    const Jacobian difference = scalar_mul_double_and_add(g, step);
    Fr m = Fr::from_integer(start);
    for (std::size_t i = 0; i < n; ++i) {
      points[i] = p;
      multiples_[i] = m;
      p += difference;
      m += Fr::from_integer(step);
    }
    batch_to_affine<typename G::Params>(points, bases_, scratch);
  }

  /// The bases first..first + n - 1 alone.
  [[nodiscard]] KnownBases part(std::size_t first, std::size_t n) const {
    KnownBases made;
    made.multiples_.assign(multiples_.begin() + static_cast<std::ptrdiff_t>(first),
                           multiples_.begin() + static_cast<std::ptrdiff_t>(first + n));
    made.bases_.assign(bases_.begin() + static_cast<std::ptrdiff_t>(first),
                       bases_.begin() + static_cast<std::ptrdiff_t>(first + n));
    return made;
  }

  [[nodiscard]] std::size_t size() const { return bases_.size(); }
  [[nodiscard]] std::span<const Affine> bases() const { return bases_; }
  void set_infinity(std::size_t i) {
    bases_[i] = Affine::infinity();
    multiples_[i] = Fr::zero();
  }
  /// Base i becomes ±base j.
  void copy(std::size_t i, std::size_t j, bool negated) {
    bases_[i] = negated ? -bases_[j] : bases_[j];
    multiples_[i] = negated ? -multiples_[j] : multiples_[j];
  }
  /// Base i becomes m·G.
  void set_multiple(std::size_t i, const typename Fr::Integer& m) {
    multiples_[i] = Fr::from_integer(m);
    bases_[i] = scalar_mul_double_and_add(Jacobian::from_affine(G::generator()), m).to_affine();
  }

  /// Σ kᵢ·Pᵢ for the first scalars.size() bases.
  [[nodiscard]] Jacobian expected(std::span<const typename Fr::Integer> scalars) const {
    Fr sum = Fr::zero();
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      sum += Fr::from_integer(scalars[i]) * multiples_[i];
    }
    return scalar_mul_double_and_add(Jacobian::from_affine(G::generator()), sum.to_integer());
  }

 private:
  KnownBases() = default;

  std::vector<Fr> multiples_;
  std::vector<Affine> bases_;
};

/// The kinds of scalars, by number; `scalar_kinds` of them.
inline constexpr unsigned scalar_kinds = 18;
inline std::string scalar_kind_name(unsigned kind) {
  static const char* const names[scalar_kinds] = {"uniform",
                                                  "all 0",
                                                  "all 1",
                                                  "all 2",
                                                  "all r-1",
                                                  "all r-2",
                                                  "all equal",
                                                  "two values",
                                                  "95 % zero or one",
                                                  "8 bits",
                                                  "16 bits",
                                                  "32 bits",
                                                  "64 bits",
                                                  "powers of two and neighbours",
                                                  "one heavy bucket",
                                                  "digits at the edge of the window",
                                                  "zero and one",
                                                  "small and negative"};
  return names[kind];
}

template <class F>
std::vector<typename F::Integer> make_scalars(unsigned kind, std::size_t n,
                                              std::mt19937_64& random) {
  using Integer = typename F::Integer;
  const auto small = [](std::uint64_t value) { return Integer::from_uint64(value); };
  const auto field = [](const F& value) { return value.to_integer(); };
  const Integer one_value = random_scalar<F>(random), other_value = random_scalar<F>(random);
  const unsigned edge = 2 + static_cast<unsigned>(random() % 16);
  std::vector<Integer> k(n);
  for (Integer& s : k) {
    switch (kind) {
      case 1: s = small(0); break;
      case 2: s = small(1); break;
      case 3: s = small(2); break;
      case 4: s = field(-F::one()); break;
      case 5: s = field(-F::one() - F::one()); break;
      case 6: s = one_value; break;
      case 7: s = random() % 2 == 0 ? one_value : other_value; break;
      case 8: s = random() % 20 == 0 ? random_scalar<F>(random) : small(random() % 2); break;
      case 9: s = small(random() >> 56); break;
      case 10: s = small(random() >> 48); break;
      case 11: s = small(random() >> 32); break;
      case 12: s = small(random()); break;
      case 13: {
        F power = F::one();
        for (auto i = random() % F::bits; i > 0; --i) power = power.doubled();
        s = field(power + F(static_cast<int>(random() % 3) - 1));
        break;
      }
      case 14: {  // the lowest window is the same in nearly all
        s = random_scalar<F>(random);
        if (random() % 16 != 0) s.limb[0] = (s.limb[0] & ~std::uint64_t{0xffff}) | 0x1234;
        if (!F::is_canonical(s)) s = small(0x1234);
        break;
      }
      case 15: {  // 2^(c-1) - 1, 2^(c-1) or 2^(c-1) + 1 in every window of c bits
        F sum = F::zero(), base = F::one();
        const F step = F(1 << edge);
        for (unsigned at = 0; at + edge < F::bits; at += edge, base *= step) {
          sum += base * F((1 << (edge - 1)) - 1 + static_cast<int>(random() % 3));
        }
        s = field(sum);
        break;
      }
      case 16: s = small(random() % 2); break;
      case 17: s = field(F(static_cast<int>(random() % 2001) - 1000)); break;
      default: s = random_scalar<F>(random);
    }
  }
  return k;
}

/// The kinds of bases, by number; `base_kinds` of them.
inline constexpr unsigned base_kinds = 8;
inline std::string base_kind_name(unsigned kind) {
  static const char* const names[base_kinds] = {"different",
                                                "one infinity",
                                                "half infinity",
                                                "all infinity",
                                                "pairs of equal points",
                                                "pairs of opposite points",
                                                "multiples of the generator",
                                                "all the same"};
  return names[kind];
}

/// Changes bases that are all different into another kind.
template <CurveGroup G>
void make_bases(unsigned kind, KnownBases<G>& bases) {
  for (std::size_t i = 0; i < bases.size(); ++i) {
    switch (kind) {
      case 1:
        if (i == bases.size() / 2) bases.set_infinity(i);
        break;
      case 2:
        if (i % 2 == 0) bases.set_infinity(i);
        break;
      case 3: bases.set_infinity(i); break;
      case 4:
        if (i % 2 == 1) bases.copy(i, i - 1, false);
        break;
      case 5:
        if (i % 2 == 1) bases.copy(i, i - 1, true);
        break;
      case 6: bases.set_multiple(i, G::ScalarField::Integer::from_uint64(i)); break;
      case 7:
        if (i > 0) bases.copy(i, 0, false);
        break;
      default: break;
    }
  }
}

}  // namespace zkgpu::test
