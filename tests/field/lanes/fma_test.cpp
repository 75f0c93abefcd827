// SPDX-License-Identifier: Apache-2.0 OR MIT
#if defined(__x86_64__)
#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <cfenv>
#include <random>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/curve/bls12_381.hpp>

#include "fma_ops.hpp"

// Oracle: Boost's integers. Columns are read as they stand, so that a digit out of its range is
// seen and not carried away.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;
using Number = boost::multiprecision::cpp_int;

constexpr unsigned digit_bits = 52;
constexpr std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;
const Number two_260 = Number(1) << 260;

bool lanes_run_here() {
  if (detected_cpu_level() >= CpuLevel::avx2) return true;
  WARN("this machine has no AVX2 with FMA: its lanes are not tested");
  return false;
}

Number modulus() {
  Number r = 0;
  const auto n = Bls12_381::Fr::modulus();
  for (std::size_t i = 4; i-- > 0;) r = (r << 64) + n.limb[i];
  return r;
}

/// Columns are signed words.
Number value(const FmaBlock& block, std::size_t lane) {
  Number v = 0;
  for (std::size_t i = fma_limbs; i-- > 0;) {
    v = (v << digit_bits) + static_cast<std::int64_t>(block.digit[i][lane]);
  }
  return v;
}
void put(FmaBlock& block, std::size_t lane, Number v) {
  for (std::size_t i = 0; i < fma_limbs; ++i, v >>= digit_bits) {
    block.digit[i][lane] = static_cast<std::uint64_t>(v & digit_mask);
  }
}
Number residue(const Number& v, const Number& m) { return ((v % m) + m) % m; }

/// Ten terms and their upper halves at most, less a digit of the modulus.
bool columns_are_small(const FmaBlock& block, std::size_t lane) {
  for (const auto& row : block.digit) {
    const auto column = static_cast<std::int64_t>(row[lane]);
    if (column < -(std::int64_t{1} << 52) || column >= 20 * (std::int64_t{1} << 52)) return false;
  }
  return true;
}

/// Numbers below a bound: its ends, digits of all zeros and all ones, and random ones.
std::vector<Number> numbers_below(const Number& bound, std::size_t count, std::mt19937_64& random) {
  std::vector<Number> all{
      0, 1, bound - 1, bound / 2, (Number(1) << 52) - 1, Number(1) << 52, (Number(1) << 208) - 1};
  while (all.size() < count) {
    Number v = 0;
    for (std::size_t i = 0; i < fma_limbs; ++i) {
      const std::uint64_t kind = random() % 4;
      const std::uint64_t digit = kind == 0 ? 0 : kind == 1 ? digit_mask : random() & digit_mask;
      v = (v << digit_bits) + digit;
    }
    all.push_back(v % bound);
  }
  return all;
}

/// body(i, lane) for every number, four a call of `run(block of them)`.
template <class Body>
void four_by_four(std::size_t count, const Body& body) {
  for (std::size_t first = 0; first + fma_width <= count; first += fma_width) body(first);
}

TEST_CASE("halves of products of 52-bit digits are exact", "[field][lanes][oracle]") {
  if (!lanes_run_here()) return;
  std::mt19937_64 random(21);
  std::vector<std::uint64_t> digits{0,
                                    1,
                                    2,
                                    3,
                                    digit_mask,
                                    digit_mask - 1,
                                    digit_mask / 2,
                                    digit_mask / 2 + 1,
                                    0xffffffff,
                                    std::uint64_t{1} << 32};
  for (int i = 0; i < 90; ++i) digits.push_back(random() & digit_mask);
  for (const std::uint64_t a : digits) {
    for (std::size_t first = 0; first + 20 <= digits.size(); first += 20) {
      FmaBlock x{}, y{}, high{}, low{};
      for (std::size_t k = 0; k < 20; ++k) {  // what stands above the digits is ignored
        x.digit[k / 4][k % 4] = a | random() << digit_bits;
        y.digit[k / 4][k % 4] = digits[first + k] | random() << digit_bits;
      }
      fma_halves(x, y, high, low);
      bool exact = true;
      for (std::size_t k = 0; k < 20; ++k) {
        const auto product = static_cast<unsigned __int128>(a) * digits[first + k];
        exact = exact && high.digit[k / 4][k % 4] == static_cast<std::uint64_t>(product >> 52) &&
                low.digit[k / 4][k % 4] == (static_cast<std::uint64_t>(product) & digit_mask);
      }
      CHECK(exact);
    }
  }
}

TEST_CASE("products by known factors are congruent and within one modulus of zero",
          "[field][lanes][oracle]") {
  if (!lanes_run_here()) return;
  std::mt19937_64 random(22);
  const Number r = modulus();
  const auto xs = numbers_below(two_260, 4000, random);
  auto ws = numbers_below(r, 4000, random);
  std::swap(ws[0], ws[2]);  // the largest factor meets zero, and others the largest operand
  std::rotate(ws.begin(), ws.begin() + 1, ws.end());
  four_by_four(xs.size(), [&](std::size_t first) {
    FmaBlock x{}, w{}, quotient{}, y{};
    for (std::size_t l = 0; l < fma_width; ++l) {
      put(x, l, xs[first + l]);
      put(w, l, ws[first + l]);
      put(quotient, l, (ws[first + l] << 260) / r);
    }
    fma_multiply_known(x, w, quotient, y);
    for (std::size_t l = 0; l < fma_width; ++l) {
      Number v = residue(value(y, l), two_260);
      if (v > two_260 / 2) v -= two_260;
      const bool congruent = residue(v, r) == xs[first + l] * ws[first + l] % r;
      const bool within = v >= -r && v <= r + (r >> 40);
      CHECK(congruent);
      CHECK(within);
      CHECK(columns_are_small(y, l));
    }
  });
}

TEST_CASE("Montgomery's products in lanes of AVX2 are congruent and below their bounds",
          "[field][lanes][oracle]") {
  if (!lanes_run_here()) return;
  std::mt19937_64 random(23);
  const Number r = modulus();
  const auto xs = numbers_below(two_260, 4000, random);
  auto ys = numbers_below(two_260, 4000, random);
  std::rotate(ys.begin(), ys.begin() + 1, ys.end());
  std::swap(ys[0], ys[2]);
  four_by_four(xs.size(), [&](std::size_t first) {
    FmaBlock x{}, y{}, whole{}, less{};
    for (std::size_t l = 0; l < fma_width; ++l) {
      put(x, l, xs[first + l]);
      put(y, l, ys[first + l]);
    }
    fma_multiply(x, y, whole);
    fma_multiply_less(x, y, less);
    for (std::size_t l = 0; l < fma_width; ++l) {
      const Number product = xs[first + l] * ys[first + l];
      const Number v = value(whole, l);
      const bool congruent = (v << 260) % r == product % r;
      const bool within = v >= 0 && (v << 260) < product + (r << 260);
      const bool lessened = value(less, l) == v - r;
      CHECK(congruent);
      CHECK(within);
      CHECK(lessened);
      CHECK(columns_are_small(whole, l));
      CHECK(columns_are_small(less, l));
    }
  });
}

TEST_CASE("low products in lanes of AVX2 are the products modulo 2^260", "[field][lanes][oracle]") {
  if (!lanes_run_here()) return;
  std::mt19937_64 random(24);
  const auto xs = numbers_below(two_260, 2000, random);
  auto ys = numbers_below(two_260, 2000, random);
  std::rotate(ys.begin(), ys.begin() + 1, ys.end());
  four_by_four(xs.size(), [&](std::size_t first) {
    FmaBlock x{}, y{}, low{};
    for (std::size_t l = 0; l < fma_width; ++l) {
      put(x, l, xs[first + l]);
      put(y, l, ys[first + l]);
    }
    fma_multiply_low(x, y, low);
    for (std::size_t l = 0; l < fma_width; ++l) {
      const bool equal = value(low, l) % two_260 == xs[first + l] * ys[first + l] % two_260;
      CHECK(equal);
      CHECK(columns_are_small(low, l));
    }
  });
}

TEST_CASE("the rounding of doubles is towards zero within lanes of AVX2, and as it was after them",
          "[field][lanes][law]") {
  if (!lanes_run_here()) return;
  const double truncated = 0x1.9999999999999p-4;
  for (const int mode : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    double during = 0, after = 0;
    REQUIRE(std::fesetround(mode) == 0);
    fma_tenth(during, after);
    const int mode_after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(mode_after == mode);
    CHECK(during == truncated);
    CHECK((after != truncated) == (mode == FE_TONEAREST || mode == FE_UPWARD));
  }
}

}  // namespace
#endif
