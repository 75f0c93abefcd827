// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cpuid.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <zkgpu/arith/limb_ops_portable.hpp>
#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/arith/x86/rows_4.hpp>
#include <zkgpu/arith/x86/rows_6.hpp>
#include <zkgpu/arith/x86/square_rows.hpp>

/// x86-64 forms of the limb primitives. Products need BMI2 and ADX, found at run time; the library
/// itself is compiled for the baseline instruction set.
///
/// A product is one function per modulus, never inlined (about 1.5 kB), which looks at the switch
/// itself so that a call site is one call. Results are written through a reference: a returned
/// value that is copied in 16-byte pieces right after would stall, see x86/rows.hpp.
namespace zkgpu::limb_ops::x86 {

/// Are there assembly forms for N limbs?
template <std::size_t N>
inline constexpr bool has_rows = N == 4 || N == 6;

/// Which form products take; `unknown` until the first product asks. Constant-initialised, so it
/// may be used by the initialiser of any static object. Only touched by atomic loads and stores;
/// threads that meet `unknown` together store the same answer.
enum ProductForm : std::uint8_t { unknown, portable_text, mulx_adx };
inline constinit std::uint8_t product_form = ProductForm::unknown;

/// Does this processor have BMI2 (mulx) and ADX (adcx, adox)?
inline bool mulx_adx_supported() noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  constexpr unsigned needed = bit_BMI2 | bit_ADX;
  return (ebx & needed) == needed;
}

/// Chooses between the assembly and the portable products, for all threads: for tests, and for a
/// backend told to stay scalar. Both forms give the same results, so calls under way need no care.
///
/// @return whether the assembly is now in use: false if the processor lacks it
inline bool set_mulx_adx(bool wanted) noexcept {
  const bool on = wanted && mulx_adx_supported();
  __atomic_store_n(&product_form, on ? ProductForm::mulx_adx : ProductForm::portable_text,
                   __ATOMIC_RELAXED);
  return on;
}

/// The first question, out of line so that products stay small.
[[gnu::noinline, gnu::cold]] inline bool enable_mulx_adx_if_supported() noexcept {
  return set_mulx_adx(true);
}

inline bool mulx_adx_enabled() noexcept {
  const std::uint8_t form = __atomic_load_n(&product_form, __ATOMIC_RELAXED);
  if (form == ProductForm::mulx_adx) [[likely]]
    return true;
  return form == ProductForm::unknown && enable_mulx_adx_if_supported();
}

/// a + b + carry; `carry` is 0 or 1, in and out. One `adc` after inlining.
inline std::uint64_t add_carry(std::uint64_t a, std::uint64_t b,
                               unsigned long long& carry) noexcept {
#if defined(__clang__)
  return __builtin_addcll(a, b, carry, &carry);
#else
  unsigned long long out = 0;
  carry = __builtin_ia32_addcarryx_u64(static_cast<unsigned char>(carry), a, b, &out);
  return out;
#endif
}

/// a - b - borrow; `borrow` is 0 or 1, in and out. One `sbb` after inlining.
inline std::uint64_t subtract_borrow(std::uint64_t a, std::uint64_t b,
                                     unsigned long long& borrow) noexcept {
#if defined(__clang__)
  return __builtin_subcll(a, b, borrow, &borrow);
#else
  unsigned long long out = 0;
  borrow = __builtin_ia32_sbb_u64(static_cast<unsigned char>(borrow), a, b, &out);
  return out;
#endif
}

/// r = a + b; returns the carry out. r may be a or b.
template <std::size_t N>
inline std::uint64_t add(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  unsigned long long carry = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    r.limb[i] = add_carry(a.limb[i], b.limb[i], carry);
  }
  return carry;
}

/// r = a - b; returns the borrow out. r may be a or b.
template <std::size_t N>
inline std::uint64_t subtract(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  unsigned long long borrow = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    r.limb[i] = subtract_borrow(a.limb[i], b.limb[i], borrow);
  }
  return borrow;
}

/// The modulus and its inverse as the blocks read them.
template <class M>
inline constexpr auto reduction_constants = [] {
  ReductionConstants<M::limb_count> r{};
  for (std::size_t i = 0; i < M::limb_count; ++i) r.modulus[i] = M::modulus().limb[i];
  r.inverse = M::montgomery_inverse();
  return r;
}();

/// r = a + b mod modulus. Out of line from 6 limbs up, where the text outweighs the call.
template <class M>
inline void modular_add(Limbs<4>& r, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  Rows<4>::add(r, a, b, reduction_constants<M>);
}
template <class M>
[[gnu::noinline]] void modular_add(Limbs<6>& r, const Limbs<6>& a, const Limbs<6>& b) noexcept {
  Rows<6>::add(r.limb, a.limb, b.limb, reduction_constants<M>);
}

/// r = a - b mod modulus.
template <class M>
inline void modular_subtract(Limbs<4>& r, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  Rows<4>::subtract(r, a, b, reduction_constants<M>);
}
template <class M>
[[gnu::noinline]] void modular_subtract(Limbs<6>& r, const Limbs<6>& a,
                                        const Limbs<6>& b) noexcept {
  Rows<6>::subtract(r.limb, a.limb, b.limb, reduction_constants<M>);
}

/// The products as sequences of rows: window i of t is t[i..i+N]. The processor has mulx and adx.
template <class M, class Indices>
struct Products;

template <class M, std::size_t... I>
struct Products<M, std::index_sequence<I...>> {
  static constexpr std::size_t N = sizeof...(I);
  using Row = Rows<N>;

  [[gnu::always_inline]] static void product(Limbs<N>& r, const Limbs<N>& a,
                                             const Limbs<N>& b) noexcept {
    std::uint64_t t[2 * N];
    (add_row<I>(t, a, b), ...);
    Row::finish(r.limb, t + N, reduction_constants<M>);
  }

  template <std::size_t K>
  [[gnu::always_inline]] static void sum_of_products(Limbs<N>& r, const Limbs<N>* const (&a)[K],
                                                     const Limbs<N>* const (&b)[K]) noexcept {
    std::uint64_t t[2 * N];
    (add_rows<I>(t, a, b, std::make_index_sequence<K - 1>{}), ...);
    Row::finish(r.limb, t + N, reduction_constants<M>);
  }

  [[gnu::always_inline]] static void sum_of_products(Limbs<N>& r, const Limbs<N>& a,
                                                     const Limbs<N>& b, const Limbs<N>& c,
                                                     const Limbs<N>& d) noexcept {
    std::uint64_t t[2 * N];
    (add_two_rows<I>(t, a, b, c, d), ...);
    Row::finish(r.limb, t + N, reduction_constants<M>);
  }

  /// Needs 3 · modulus < 2^(64N): the partial sums reach 2a + modulus.
  [[gnu::always_inline]] static void square(Limbs<N>& r, const Limbs<N>& a) noexcept {
    std::uint64_t t[2 * N];
    DoubledLimbs doubled;
    double_limbs(doubled, a.limb);
    (add_square_row<I>(t, a, doubled), ...);
    Row::finish(r.limb, t + N, reduction_constants<M>);
  }

  [[gnu::always_inline]] static void wide_product(Limbs<2 * N>& r, const Limbs<N>& a,
                                                  const Limbs<N>& b) noexcept {
    std::uint64_t t[2 * N];
    (add_wide_row<I>(r, t, a, b), ...);
    ((r.limb[N + I] = t[N + I]), ...);
  }

  [[gnu::always_inline]] static void reduce(Limbs<N>& r, const Limbs<2 * N>& a) noexcept {
    std::uint64_t t[2 * N];
    ((t[I] = a.limb[I]), ...);
    ((t[N + I] = 0, Row::reduce(t + I, reduction_constants<M>)), ...);
    unsigned long long carry = 0;
    ((t[N + I] = add_carry(t[N + I], a.limb[N + I], carry)), ...);
    Row::finish(r.limb, t + N, reduction_constants<M>);
  }

 private:
  template <std::size_t J>
  [[gnu::always_inline]] static void raw_row(std::uint64_t* t, const Limbs<N>& a,
                                             const Limbs<N>& b) noexcept {
    if constexpr (J == 0) {
      Row::multiply(t, a.limb, b.limb[0]);
    } else {
      Row::accumulate(t + J, a.limb, b.limb[J]);
    }
  }
  template <std::size_t J>
  [[gnu::always_inline]] static void add_row(std::uint64_t* t, const Limbs<N>& a,
                                             const Limbs<N>& b) noexcept {
    raw_row<J>(t, a, b);
    Row::reduce(t + J, reduction_constants<M>);
  }
  template <std::size_t J, std::size_t K, std::size_t... Rest>
  [[gnu::always_inline]] static void add_rows(std::uint64_t* t, const Limbs<N>* const (&a)[K],
                                              const Limbs<N>* const (&b)[K],
                                              std::index_sequence<Rest...>) noexcept {
    raw_row<J>(t, *a[0], *b[0]);
    (Row::accumulate_more(t + J, a[1 + Rest]->limb, b[1 + Rest]->limb[J]), ...);
    Row::reduce(t + J, reduction_constants<M>);
  }
  template <std::size_t J>
  [[gnu::always_inline]] static void add_two_rows(std::uint64_t* t, const Limbs<N>& a,
                                                  const Limbs<N>& b, const Limbs<N>& c,
                                                  const Limbs<N>& d) noexcept {
    raw_row<J>(t, a, b);
    Row::accumulate_more(t + J, c.limb, d.limb[J]);
    Row::reduce(t + J, reduction_constants<M>);
  }
  template <std::size_t J>
  [[gnu::always_inline]] static void add_wide_row(Limbs<2 * N>& r, std::uint64_t* t,
                                                  const Limbs<N>& a, const Limbs<N>& b) noexcept {
    raw_row<J>(t, a, b);
    r.limb[J] = t[J];
  }
  template <std::size_t J>
  [[gnu::always_inline]] static void add_square_row(std::uint64_t* t, const Limbs<N>& a,
                                                    const DoubledLimbs& doubled) noexcept {
    if constexpr (J == 0) {
      SquareRow<N>::multiply(t, a.limb[0], doubled.single, doubled.whole);
    } else {
      SquareRow<N - J>::accumulate(t + 2 * J, a.limb[J], doubled.single + J,
                                   doubled.whole + (J < 4 ? J : 0));
    }
    Row::reduce(t + J, reduction_constants<M>);
  }
};

template <class M>
using ProductsOf = Products<M, std::make_index_sequence<M::limb_count>>;

/// The portable forms, out of line as well: what a processor without mulx and adx calls.
template <class M>
struct Fallback {
  static constexpr std::size_t N = M::limb_count;
  using Integer = Limbs<N>;

  [[gnu::noinline]] static void product(Integer& r, const Integer& a, const Integer& b) noexcept {
    r = portable::montgomery_product<N>(a, b, M::modulus(), M::montgomery_inverse());
  }
  template <std::size_t K>
  [[gnu::noinline]] static void sum_of_products(Integer& r, const Integer* const (&a)[K],
                                                const Integer* const (&b)[K]) noexcept {
    r = portable::sum_of_products<N, K>(a, b, M::modulus(), M::montgomery_inverse());
  }
  [[gnu::noinline]] static void wide_product(Limbs<2 * N>& r, const Integer& a,
                                             const Integer& b) noexcept {
    r = portable::wide_product<N>(a, b);
  }
  [[gnu::noinline]] static void reduce(Integer& r, const Limbs<2 * N>& a) noexcept {
    r = portable::montgomery_reduce<N>(a, M::modulus(), M::montgomery_inverse());
  }
};

/// r = a · b · 2^(-64N) mod modulus; r may be a or b.
template <class M, std::size_t N>
[[gnu::noinline]] void montgomery_product(Limbs<N>& r, const Limbs<N>& a,
                                          const Limbs<N>& b) noexcept {
  if (mulx_adx_enabled()) [[likely]]
    return ProductsOf<M>::product(r, a, b);
  Fallback<M>::product(r, a, b);
}

/// r = a² · 2^(-64N) mod modulus; r may be a.
template <class M, std::size_t N>
[[gnu::noinline]] void montgomery_square(Limbs<N>& r, const Limbs<N>& a) noexcept {
  if constexpr (N == 6 && M::spare_bits >= 2) {
    if (mulx_adx_enabled()) [[likely]]
      return ProductsOf<M>::square(r, a);
    Fallback<M>::product(r, a, a);
  } else {
    montgomery_product<M>(r, a, a);
  }
}

/// r = Σ_k a[k] · b[k] · 2^(-64N) mod modulus; r may be any of them.
template <class M, std::size_t N, std::size_t K>
[[gnu::noinline]] void sum_of_products(Limbs<N>& r, const Limbs<N>* const (&a)[K],
                                       const Limbs<N>* const (&b)[K]) noexcept {
  if (mulx_adx_enabled()) [[likely]]
    return ProductsOf<M>::sum_of_products(r, a, b);
  Fallback<M>::sum_of_products(r, a, b);
}

/// The same for a · b + c · d, with the operands in registers: a few cycles less.
template <class M, std::size_t N>
[[gnu::noinline]] void sum_of_products(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b,
                                       const Limbs<N>& c, const Limbs<N>& d) noexcept {
  if (mulx_adx_enabled()) [[likely]]
    return ProductsOf<M>::sum_of_products(r, a, b, c, d);
  Fallback<M>::template sum_of_products<2>(r, {&a, &c}, {&b, &d});
}

/// r = a · b, all 2N limbs.
template <class M, std::size_t N>
[[gnu::noinline]] void wide_product(Limbs<2 * N>& r, const Limbs<N>& a,
                                    const Limbs<N>& b) noexcept {
  if (mulx_adx_enabled()) [[likely]]
    return ProductsOf<M>::wide_product(r, a, b);
  Fallback<M>::wide_product(r, a, b);
}

/// r = a · 2^(-64N) mod modulus, for a < modulus · 2^(64N).
template <class M, std::size_t N>
[[gnu::noinline]] void montgomery_reduce(Limbs<N>& r, const Limbs<2 * N>& a) noexcept {
  if (mulx_adx_enabled()) [[likely]]
    return ProductsOf<M>::reduce(r, a);
  Fallback<M>::reduce(r, a);
}

}  // namespace zkgpu::limb_ops::x86
