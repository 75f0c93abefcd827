// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compiled for AVX-512 IFMA; called only where the processor has it.
#include "lane_ops.hpp"

#if defined(__x86_64__)
#include <zkgpu/field/lanes/batch_inverse_avx512ifma_impl.hpp>
#include <zkgpu/field/lanes/fp2_avx512ifma_impl.hpp>

namespace zkgpu::test {

namespace {

using A = arch::avx512ifma;

template <class L, class F>
L lanes_from(const LaneBlock<F>& block) {
  static_assert(L::limbs == lane_limbs<F> && L::width == lane_width);
  L r;
  for (std::size_t i = 0; i < L::limbs; ++i) {
    r.limb[i] = ifma::Vector::load_aligned(block.digit[i]);
  }
  return r;
}
template <class F, unsigned Bound>
void put(const Lanes<F, A, Bound>& lanes, LaneBlock<F>& block) {
  for (std::size_t i = 0; i < lane_limbs<F>; ++i) lanes.limb[i].store_aligned(block.digit[i]);
}

/// The same value in limbs of both signs: where bit i of `choice` is set, limb i is less by 2^52
/// and the next one more by 1.
template <class F, unsigned Bound>
Lanes<F, A, Bound> with_signed_limbs(Lanes<F, A, Bound> x, const ifma::Vector& choice) {
  for (std::size_t i = 0; i + 1 < lane_limbs<F>; ++i) {
    const auto bit = ifma::splat(std::uint64_t{1} << i);
    const ifma::Vector chosen =
        _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(choice, bit), ifma::splat(~std::uint64_t{0}));
    x.limb[i] = x.limb[i] - (chosen & ifma::splat(std::uint64_t{1} << 52));
    x.limb[i + 1] = x.limb[i + 1] + (chosen & ifma::splat(1));
  }
  return x;
}
template <class F, unsigned Bound>
Lanes2<F, A, Bound> with_signed_limbs(const Lanes2<F, A, Bound>& x, const ifma::Vector& choice) {
  return {with_signed_limbs(x.c0, choice), with_signed_limbs(x.c1, ~choice)};
}
/// Something different in every lane.
template <class F, unsigned Bound>
const ifma::Vector& some_bits(const Lanes<F, A, Bound>& x) {
  return x.limb[0];
}
template <class F, unsigned Bound>
const ifma::Vector& some_bits(const Lanes2<F, A, Bound>& x) {
  return x.c0.limb[0];
}

template <LaneOp op, class X, class Y>
auto apply(const X& x, const Y& y) {
  static_cast<void>(y);
  if constexpr (op == LaneOp::add) {
    return x + y;
  } else if constexpr (op == LaneOp::subtract) {
    return x - y;
  } else if constexpr (op == LaneOp::multiply) {
    return x * y;
  } else if constexpr (op == LaneOp::square) {
    return x.square();
  } else if constexpr (op == LaneOp::negate) {
    return -x;
  } else if constexpr (op == LaneOp::twice) {
    return x.doubled();
  } else if constexpr (op == LaneOp::reduce) {
    return x.partially_reduced();
  } else if constexpr (op == LaneOp::product_less) {
    return X::product_less(x, y, y);
  } else if constexpr (op == LaneOp::square_less) {
    return X::square_less(x, y, y);
  } else if constexpr (op == LaneOp::product_less_signed) {
    return X::product_less(x, y, with_signed_limbs(y, some_bits(x)));
  } else if constexpr (op == LaneOp::square_less_signed) {
    return X::square_less(x, with_signed_limbs(y, some_bits(x)),
                          with_signed_limbs(y, ~some_bits(x)));
  } else if constexpr (op == LaneOp::scale) {
    return x.template times_power_of_two<16>();
  } else {
    return x.canonical();
  }
}

template <class L>
inline constexpr unsigned bound_of = 0;
template <class F, unsigned Bound>
inline constexpr unsigned bound_of<Lanes<F, A, Bound>> = Bound;
template <class F, unsigned Bound>
inline constexpr unsigned bound_of<Lanes2<F, A, Bound>> = Bound;

template <class F, LaneOp op, unsigned BoundA, unsigned BoundB = 1>
constexpr LaneCase<F> lane_case() {
  using X = Lanes<F, A, BoundA>;
  using Y = Lanes<F, A, BoundB>;
  using R = decltype(apply<op>(X{}, Y{}));
  return {op, BoundA, BoundB, bound_of<R>,
          [](const LaneBlock<F>& a, const LaneBlock<F>& b, LaneBlock<F>& result) {
            put(apply<op>(lanes_from<X>(a), lanes_from<Y>(b)), result);
          }};
}
template <class F, LaneOp op, unsigned BoundA, unsigned BoundB = 1>
constexpr LaneCase2<F> lane_case2() {
  using X = Lanes2<F, A, BoundA>;
  using Y = Lanes2<F, A, BoundB>;
  using R = decltype(apply<op>(X{}, Y{}));
  return {op, BoundA, BoundB, bound_of<R>,
          [](const LaneBlock<F>(&a)[2], const LaneBlock<F>(&b)[2], LaneBlock<F>(&result)[2]) {
            using XPart = Lanes<F, A, BoundA>;
            using YPart = Lanes<F, A, BoundB>;
            const X x{lanes_from<XPart>(a[0]), lanes_from<XPart>(a[1])};
            const Y y{lanes_from<YPart>(b[0]), lanes_from<YPart>(b[1])};
            const R r = apply<op>(x, y);
            put(r.c0, result[0]);
            put(r.c1, result[1]);
          }};
}

}  // namespace

template <>
std::span<const LaneCase<Bls12_381::Fq>> lane_cases<Bls12_381::Fq>() {
  using F = Bls12_381::Fq;
  using enum LaneOp;
  static constexpr LaneCase<F> cases[] = {
      lane_case<F, add, 1, 1>(),
      lane_case<F, add, 2, 2>(),
      lane_case<F, add, 1 << 20, 1 << 30>(),
      lane_case<F, subtract, 1, 1>(),
      lane_case<F, subtract, 2, 2>(),
      lane_case<F, subtract, 2, 1 << 30>(),
      lane_case<F, subtract, 1 << 30, 2>(),
      lane_case<F, multiply, 1, 1>(),
      lane_case<F, multiply, 2, 2>(),
      lane_case<F, multiply, 6, 16>(),
      lane_case<F, multiply, 1 << 17, 1 << 18>(),
      lane_case<F, multiply, 1U << 31, 1 << 4>(),
      lane_case<F, multiply, 1 << 4, 1U << 31>(),
      lane_case<F, square, 1>(),
      lane_case<F, square, 2>(),
      lane_case<F, square, 1 << 17>(),
      lane_case<F, negate, 1>(),
      lane_case<F, negate, 2>(),
      lane_case<F, negate, 1U << 31>(),
      lane_case<F, twice, 2>(),
      lane_case<F, twice, 1 << 30>(),
      lane_case<F, reduce, 2>(),
      lane_case<F, reduce, 5>(),
      lane_case<F, reduce, 8>(),
      lane_case<F, canonical, 1>(),
      lane_case<F, canonical, 2>(),
      lane_case<F, canonical, 8>(),
      lane_case<F, product_less, 2, 2>(),
      lane_case<F, product_less, 1 << 28, 2>(),
      lane_case<F, square_less, 2, 2>(),
      lane_case<F, square_less, 1 << 14, 2>(),
      lane_case<F, product_less_signed, 2, 2>(),
      lane_case<F, product_less_signed, 1 << 28, 2>(),
      lane_case<F, square_less_signed, 2, 2>(),
      lane_case<F, square_less_signed, 1 << 14, 2>(),
      lane_case<F, scale, 4>(),
      lane_case<F, scale, 1 << 15>(),
  };
  return cases;
}

template <>
std::span<const LaneCase<Bls12_381::Fr>> lane_cases<Bls12_381::Fr>() {
  using F = Bls12_381::Fr;
  using enum LaneOp;
  static constexpr LaneCase<F> cases[] = {
      lane_case<F, add, 1, 1>(),       lane_case<F, add, 2, 2>(),
      lane_case<F, add, 16, 16>(),     lane_case<F, subtract, 1, 1>(),
      lane_case<F, subtract, 2, 2>(),  lane_case<F, subtract, 16, 16>(),
      lane_case<F, subtract, 1, 31>(), lane_case<F, multiply, 1, 1>(),
      lane_case<F, multiply, 2, 2>(),  lane_case<F, multiply, 4, 8>(),
      lane_case<F, multiply, 32, 1>(), lane_case<F, multiply, 2, 16>(),
      lane_case<F, square, 1>(),       lane_case<F, square, 2>(),
      lane_case<F, square, 5>(),       lane_case<F, negate, 1>(),
      lane_case<F, negate, 2>(),       lane_case<F, negate, 32>(),
      lane_case<F, twice, 2>(),        lane_case<F, twice, 16>(),
      lane_case<F, reduce, 2>(),       lane_case<F, reduce, 5>(),
      lane_case<F, reduce, 8>(),       lane_case<F, canonical, 1>(),
      lane_case<F, canonical, 2>(),    lane_case<F, canonical, 8>(),
  };
  return cases;
}

template <>
std::span<const LaneCase2<Bls12_381::Fq>> lane_cases2<Bls12_381::Fq>() {
  using F = Bls12_381::Fq;
  using enum LaneOp;
  static constexpr LaneCase2<F> cases[] = {
      lane_case2<F, add, 2, 6>(),
      lane_case2<F, subtract, 6, 6>(),
      lane_case2<F, negate, 6>(),
      lane_case2<F, twice, 4>(),
      lane_case2<F, reduce, 8>(),
      lane_case2<F, multiply, 1, 1>(),
      lane_case2<F, multiply, 6, 16>(),
      lane_case2<F, multiply, 1 << 16, 1 << 17>(),
      lane_case2<F, square, 2>(),
      lane_case2<F, square, 6>(),
      lane_case2<F, square, 1 << 16>(),
      lane_case2<F, product_less, 6, 2>(),
      lane_case2<F, square_less, 6, 2>(),
      lane_case2<F, scale, 4>(),
      lane_case2<F, product_less, 1 << 26, 2>(),
      lane_case2<F, square_less, 1 << 13, 2>(),
      lane_case2<F, product_less_signed, 6, 2>(),
      lane_case2<F, product_less_signed, 1 << 26, 2>(),
      lane_case2<F, square_less_signed, 6, 2>(),
      lane_case2<F, square_less_signed, 1 << 13, 2>(),
  };
  return cases;
}

template <class F>
LaneFunctions<F> lane_functions() {
  using L = Lanes<F, A, 2>;
  return {
      .max_bound_product = L::max_bound_product,
      .load = [](const F* const(&from)[lane_width], LaneBlock<F>& to) { put(L::load(from), to); },
      .store = [](const LaneBlock<F>& from,
                  F* const(&to)[lane_width]) { lanes_from<L>(from).store(to); },
      .zero_mask = [](const LaneBlock<F>& a) -> unsigned {
        return lanes_from<Lanes<F, A, 8>>(a).zero_mask();
      },
      .select =
          [](unsigned mask, const LaneBlock<F>& a, const LaneBlock<F>& b, LaneBlock<F>& to) {
            put(L::select(static_cast<std::uint8_t>(mask), lanes_from<L>(a), lanes_from<L>(b)), to);
          },
      .carry =
          [](LaneBlock<F>& a, std::uint64_t(&out)[lane_width]) {
            auto lanes = lanes_from<L>(a);
            const ifma::Vector given = lanes.carry();
            put(lanes, a);
            given.store_unaligned(out);
          },
      .batch_inverse =
          [](std::span<LaneBlock<F>> elements, std::span<LaneBlock<F>> scratch,
             void (*invert)(F(&)[lane_width])) {
            static_assert(sizeof(LaneBlock<F>) == sizeof(L));
            const auto lanes = [](std::span<LaneBlock<F>> blocks) {
              return std::span<L>(reinterpret_cast<L*>(blocks.data()), blocks.size());
            };
            batch_inverse(lanes(elements), lanes(scratch), invert);
          },
  };
}

void lane_transpose(std::uint64_t (&rows)[8][8]) {
  ifma::Vector r[8];
  for (std::size_t i = 0; i < 8; ++i) r[i] = ifma::Vector::load_unaligned(rows[i]);
  ifma::transpose(r);
  for (std::size_t i = 0; i < 8; ++i) r[i].store_unaligned(rows[i]);
}

template LaneFunctions<Bls12_381::Fq> lane_functions<Bls12_381::Fq>();
template LaneFunctions<Bls12_381::Fr> lane_functions<Bls12_381::Fr>();

}  // namespace zkgpu::test
#endif
