// SPDX-License-Identifier: Apache-2.0 OR MIT
#if defined(__x86_64__)
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/field/fp2.hpp>

#include "lane_ops.hpp"
#include "perf/measurable.hpp"
#include "support/random_fields.hpp"

// Oracle: the scalar fields. Values are read from their digits, so that a digit out of range or a
// value above its bound is seen and not reduced away.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;
using Fq = Bls12_381::Fq;
using Fr = Bls12_381::Fr;

constexpr unsigned digit_bits = 52;
constexpr std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;

bool lanes_run_here() {
  if (detected_cpu_level() >= CpuLevel::avx512ifma) return true;
  WARN("this machine has no AVX-512 IFMA: lanes are not tested");
  return false;
}

template <class F>
using Digits = std::array<std::uint64_t, lane_limbs<F>>;

template <class F>
Digits<F> column(const LaneBlock<F>& block, std::size_t k) {
  Digits<F> d{};
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = block.digit[i][k];
  return d;
}
template <class F>
void put_column(LaneBlock<F>& block, std::size_t k, const Digits<F>& d) {
  for (std::size_t i = 0; i < d.size(); ++i) block.digit[i][k] = d[i];
}

/// a + k·b in digits; the sum must fit.
template <class F>
Digits<F> plus_multiple(const Digits<F>& a, std::uint64_t k, const Digits<F>& b) {
  Digits<F> r{};
  unsigned __int128 carry = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    carry += static_cast<unsigned __int128>(b[i]) * k + a[i];
    r[i] = static_cast<std::uint64_t>(carry) & digit_mask;
    carry >>= digit_bits;
  }
  REQUIRE(carry == 0);
  return r;
}
template <class F>
Digits<F> digits_of(const typename F::Integer& n) {
  Digits<F> d{};
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = n.bits(digit_bits * i, digit_bits);
  return d;
}
template <class F>
bool is_below(const Digits<F>& a, const Digits<F>& b) {
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}
/// Are the digits in range and their value at most bound · modulus?
template <class F>
bool is_within(const Digits<F>& d, unsigned bound) {
  for (const std::uint64_t digit : d) {
    if (digit > digit_mask) return false;
  }
  return !is_below<F>(plus_multiple<F>(Digits<F>{}, bound, digits_of<F>(F::modulus())), d);
}
/// Are they those of the only representative below the modulus?
template <class F>
bool is_canonical(const Digits<F>& d) {
  return is_within<F>(d, 1) && is_below<F>(d, digits_of<F>(F::modulus()));
}

/// 2^n
template <class F>
F power_of_two(unsigned n) {
  return F(2).pow(Limbs<1>::from_uint64(n));
}
/// The element whose form in lanes, x·2^(52·limbs), has these digits.
template <class F>
F element_of(const Digits<F>& d) {
  static const F unscale = power_of_two<F>(digit_bits * lane_limbs<F>).inverse();
  static const F radix = power_of_two<F>(digit_bits);
  F r = F::zero();
  for (std::size_t i = d.size(); i-- > 0;) {
    r = r * radix + F::from_integer(F::Integer::from_uint64(d[i]));
  }
  return r * unscale;
}
/// The form of an element in lanes, below the modulus.
template <class F>
Digits<F> lane_form(const F& x) {
  static const F scale = power_of_two<F>(digit_bits * lane_limbs<F>);
  return digits_of<F>((x * scale).to_integer());
}

template <class F>
struct Sample {
  Digits<F> digits;
  F element;
};

/// Representatives up to bound · modulus, that included: 0, 1, multiples of the modulus and their
/// neighbours, and random ones.
template <class F>
Sample<F> representative(Random& random, std::size_t i, unsigned bound) {
  static const F unscale = power_of_two<F>(digit_bits * lane_limbs<F>).inverse();
  static const auto edges = edge_residues(F::modulus(), F::one().montgomery());
  const auto p = digits_of<F>(F::modulus());
  if (i == 0) return {plus_multiple<F>(Digits<F>{}, bound, p), F::zero()};
  const std::uint64_t multiples[] = {0, bound - 1, random() % bound};
  const std::size_t which = i / 3;
  const auto residue = which < edges.size() ? edges[which] : random_below(random, F::modulus());
  return {plus_multiple<F>(digits_of<F>(residue), multiples[i % 3], p),
          F::from_integer(residue) * unscale};
}

template <class F>
F expected(LaneOp op, const F& a, const F& b) {
  switch (op) {
    case LaneOp::add: return a + b;
    case LaneOp::subtract: return a - b;
    case LaneOp::multiply: return a * b;
    case LaneOp::square: return a.square();
    case LaneOp::negate: return -a;
    case LaneOp::twice: return a + a;
    case LaneOp::reduce:
    case LaneOp::canonical: return a;
    case LaneOp::product_less:
    case LaneOp::product_less_signed: return a * b - b;
    case LaneOp::square_less:
    case LaneOp::square_less_signed: return a.square() - b - b;
    case LaneOp::scale: return a * (F::one() + F::one()).pow(Limbs<1>::from_uint64(16));
  }
  return F::zero();
}

template <class Case>
std::string title(const Case& c) {
  constexpr const char* names[] = {"add",     "subtract",      "multiply",      "square", "negate",
                                   "doubled", "reduce",        "canonical",     "ab - b", "aa - 2b",
                                   "65,536a", "ab - signed b", "aa - signed 2b"};
  return std::string(names[static_cast<std::size_t>(c.op)]) + "<" + std::to_string(c.bound_a) +
         ", " + std::to_string(c.bound_b) + ">";
}

constexpr std::size_t vectors = measurable ? 13'000 : 2'000;  // more than 10^5 elements

template <class F>
void check_case(const LaneCase<F>& c) {
  INFO(title(c));
  Random random(7);
  std::size_t wrong = 0, out_of_bound = 0;
  for (std::size_t v = 0; v < vectors; ++v) {
    LaneBlock<F> a{}, b{}, r{};
    F want[lane_width];
    for (std::size_t k = 0; k < lane_width; ++k) {
      const std::size_t i = lane_width * v + k;
      const auto x = representative<F>(random, i % 5003, c.bound_a);
      // In another order, so that edges meet.
      const auto y = representative<F>(random, 17 * i % 1009, c.bound_b);
      put_column(a, k, x.digits);
      put_column(b, k, y.digits);
      want[k] = expected(c.op, x.element, y.element);
    }
    c.run(a, b, r);
    for (std::size_t k = 0; k < lane_width; ++k) {
      const auto got = column(r, k);
      const bool within =
          c.op == LaneOp::canonical ? is_canonical<F>(got) : is_within<F>(got, c.bound_result);
      out_of_bound += static_cast<std::size_t>(!within);
      wrong += static_cast<std::size_t>(!(element_of<F>(got) == want[k]));
    }
  }
  CHECK(wrong == 0);
  CHECK(out_of_bound == 0);
}

template <class F>
void check_case2(const LaneCase2<F>& c) {
  INFO(title(c));
  Random random(8);
  std::size_t wrong = 0, out_of_bound = 0;
  for (std::size_t v = 0; v < vectors; ++v) {
    LaneBlock<F> a[2] = {}, b[2] = {}, r[2] = {};
    Fp2<F> want[lane_width];
    for (std::size_t k = 0; k < lane_width; ++k) {
      const std::size_t i = lane_width * v + k;
      const Sample<F> x[2] = {representative<F>(random, i % 5003, c.bound_a),
                              representative<F>(random, 13 * i % 997, c.bound_a)};
      const Sample<F> y[2] = {representative<F>(random, 17 * i % 1009, c.bound_b),
                              representative<F>(random, 21 * i % 1013, c.bound_b)};
      for (std::size_t part = 0; part < 2; ++part) {
        put_column(a[part], k, x[part].digits);
        put_column(b[part], k, y[part].digits);
      }
      want[k] =
          expected(c.op, Fp2<F>{x[0].element, x[1].element}, Fp2<F>{y[0].element, y[1].element});
    }
    c.run(a, b, r);
    for (std::size_t k = 0; k < lane_width; ++k) {
      const auto c0 = column(r[0], k), c1 = column(r[1], k);
      out_of_bound += static_cast<std::size_t>(!is_within<F>(c0, c.bound_result) ||
                                               !is_within<F>(c1, c.bound_result));
      wrong += static_cast<std::size_t>(!(Fp2<F>{element_of<F>(c0), element_of<F>(c1)} == want[k]));
    }
  }
  CHECK(wrong == 0);
  CHECK(out_of_bound == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("lanes equal the scalar field at every bound, and stay below theirs",
                   "[field][lanes]", Fq, Fr) {
  if (!lanes_run_here()) return;
  for (const auto& c : lane_cases<TestType>()) {
    REQUIRE(std::uint64_t{c.bound_result} <= lane_functions<TestType>().max_bound_product);
    check_case(c);
  }
}

TEST_CASE("lanes of the quadratic extension equal the scalar one at every bound",
          "[field][lanes]") {
  if (!lanes_run_here()) return;
  for (const auto& c : lane_cases2<Fq>()) check_case2(c);
}

TEMPLATE_TEST_CASE("the largest product of bounds is what the digits have room for",
                   "[field][lanes]", Fq, Fr) {
  if (!lanes_run_here()) return;
  // a·b·modulus² / 2^(52·limbs) < modulus, and the sum that replaces it adds less than one more.
  constexpr std::size_t room = digit_bits * lane_limbs<TestType> - TestType::bits;
  CHECK(lane_functions<TestType>().max_bound_product == std::uint64_t{1} << room);
}

TEMPLATE_TEST_CASE("lanes load and store elements of the field", "[field][lanes]", Fq, Fr) {
  using F = TestType;
  if (!lanes_run_here()) return;
  const LaneFunctions<F> f = lane_functions<F>();
  const auto elements = sample_elements<F>(100'000, 3);
  std::size_t wrong = 0;
  for (std::size_t first = 0; first + lane_width <= elements.size(); first += lane_width) {
    const F* from[lane_width];
    F back[lane_width];
    F* to[lane_width];
    for (std::size_t k = 0; k < lane_width; ++k) {
      from[k] = &elements[first + lane_width - 1 - k];  // in any order
      to[k] = &back[k];
    }
    LaneBlock<F> block{};
    f.load(from, block);
    f.store(block, to);
    for (std::size_t k = 0; k < lane_width; ++k) {
      const auto d = column(block, k);
      wrong += static_cast<std::size_t>(!is_within<F>(d, 2) || !(element_of<F>(d) == *from[k]));
      wrong += static_cast<std::size_t>(!(back[k] == *from[k]));
    }
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("lanes find the zeros among representatives below eight times the modulus",
                   "[field][lanes]", Fq, Fr) {
  using F = TestType;
  if (!lanes_run_here()) return;
  const LaneFunctions<F> f = lane_functions<F>();
  const auto p = digits_of<F>(F::modulus());
  Random random(4);
  std::size_t wrong = 0;
  for (std::size_t v = 0; v < vectors; ++v) {
    LaneBlock<F> block{};
    unsigned zeros = 0;
    for (std::size_t k = 0; k < lane_width; ++k) {
      const std::uint64_t multiple = random() % 8;
      Digits<F> d = plus_multiple<F>(Digits<F>{}, multiple, p);
      switch (random() % 4) {
        case 0:
          d = plus_multiple<F>(digits_of<F>(random_below(random, F::modulus())), multiple, p);
          break;
        case 1:  // one digit off
          d[random() % d.size()] ^= std::uint64_t{1} << (random() % 40);
          if (!is_within<F>(d, 8)) d = digits_of<F>(F::one().montgomery());
          break;
        default: break;
      }
      put_column(block, k, d);
      zeros |= static_cast<unsigned>(element_of<F>(d).is_zero()) << k;
    }
    wrong += static_cast<std::size_t>(f.zero_mask(block) != zeros);
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("lanes select by a mask, lane by lane", "[field][lanes]", Fq, Fr) {
  using F = TestType;
  if (!lanes_run_here()) return;
  const LaneFunctions<F> f = lane_functions<F>();
  Random random(5);
  for (unsigned mask = 0; mask < 256; ++mask) {
    LaneBlock<F> a{}, b{}, r{};
    for (std::size_t k = 0; k < lane_width; ++k) {
      put_column(a, k, representative<F>(random, k, 2).digits);
      put_column(b, k, representative<F>(random, 1000 + k, 2).digits);
    }
    f.select(mask, a, b, r);
    for (std::size_t k = 0; k < lane_width; ++k) {
      REQUIRE(column(r, k) == column((mask >> k & 1) != 0 ? a : b, k));
    }
  }
}

TEMPLATE_TEST_CASE("a carry pass brings signed digits into range", "[field][lanes]", Fq, Fr) {
  using F = TestType;
  if (!lanes_run_here()) return;
  const LaneFunctions<F> f = lane_functions<F>();
  Random random(6);
  for (std::size_t v = 0; v < 1000; ++v) {
    LaneBlock<F> block{};
    std::array<Digits<F>, lane_width> want{};
    std::array<std::int64_t, lane_width> out{};
    for (std::size_t k = 0; k < lane_width; ++k) {
      Digits<F> d{};
      __int128 carry = 0;
      for (std::size_t i = 0; i < d.size(); ++i) {
        d[i] = v == 0 ? std::uint64_t{0} - k : random();  // -2^63 .. 2^63 - 1
        if (v % 2 == 1) d[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(d[i]) >> 8);
        if (v > 0 && v % 2 == 0) d[i] /= 4;  // a carry and a digit fit
        carry += static_cast<std::int64_t>(d[i]);
        if (carry != static_cast<std::int64_t>(carry)) carry -= d[i] = 0;  // kept within 64 bits
        want[k][i] = static_cast<std::uint64_t>(carry) & digit_mask;
        carry >>= digit_bits;
      }
      out[k] = static_cast<std::int64_t>(carry);
      put_column(block, k, d);
    }
    std::uint64_t given[lane_width];
    f.carry(block, given);
    for (std::size_t k = 0; k < lane_width; ++k) {
      REQUIRE(column(block, k) == want[k]);
      REQUIRE(static_cast<std::int64_t>(given[k]) == out[k]);
    }
  }
}

TEST_CASE("eight rows of eight are transposed", "[field][lanes]") {
  if (!lanes_run_here()) return;
  std::uint64_t rows[8][8];
  for (std::size_t i = 0; i < 64; ++i) rows[i / 8][i % 8] = i * 0x0101010101010101;
  lane_transpose(rows);
  for (std::size_t i = 0; i < 64; ++i) CHECK(rows[i % 8][i / 8] == i * 0x0101010101010101);
}

TEMPLATE_TEST_CASE("lanes invert many elements at once, zeros among them", "[field][lanes]", Fq,
                   Fr) {
  using F = TestType;
  if (!lanes_run_here()) return;
  const LaneFunctions<F> f = lane_functions<F>();
  Random random(9);
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, vectors}) {
    std::vector<LaneBlock<F>> blocks(n), scratch(n);
    std::vector<F> elements;
    for (auto& block : blocks) {
      for (std::size_t k = 0; k < lane_width; ++k) {
        const F x = random() % 16 == 0 ? F::zero() : random_element<F>(random);
        put_column(block, k,  // both representatives, of zero too
                   plus_multiple<F>(lane_form(x), random() % 2, digits_of<F>(F::modulus())));
        elements.push_back(x);
      }
    }
    f.batch_inverse(blocks, scratch, [](F(&ends)[lane_width]) {
      for (F& end : ends) end = end.inverse();
    });
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto d = column(blocks[i / lane_width], i % lane_width);
      const F got = element_of<F>(d);
      const bool right = elements[i].is_zero() ? got.is_zero() : got * elements[i] == F::one();
      wrong += static_cast<std::size_t>(!right || !is_within<F>(d, 2));
    }
    CHECK(wrong == 0);
  }
}
#endif
