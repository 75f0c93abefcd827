// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/digits.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

namespace {

using zkgpu::Bls12_381;
using zkgpu::CudaMsmPlan;
using Fr = Bls12_381::Fr;

template <class G>
zkgpu::CudaMsmShape shape() {
  return {sizeof(typename G::Affine), sizeof(typename G::Bucket), unsigned{Fr::bits} - 1, 256};
}

Fr::Integer random_integer(std::mt19937_64& random) {
  Fr::Integer n{};
  for (auto& limb : n.limb) limb = random();
  return n;
}

/// Σ k_i·d_i·generator for points d_i·generator, by the device's bodies run in loops.
template <class G>
typename G::Jacobian msm_by_bodies(const CudaMsmPlan& plan, const std::vector<Fr::Integer>& scalars,
                                   const std::vector<typename G::Affine>& bases) {
  using P = typename G::Params;
  using L = zkgpu::LazyParams<P>;
  std::vector<typename G::Affine> table = bases;
  for (unsigned j = 1; j < plan.tables; ++j) {
    for (std::size_t i = 0; i < plan.n; ++i) {
      auto p = zkgpu::Xyzz<P>::from_affine(table[(j - 1) * plan.n + i]);
      for (unsigned k = 0; k < plan.window_bits * plan.groups; ++k) p = p.doubled();
      table.push_back(p.to_affine());
    }
  }
  std::vector<zkgpu::MsmEntry> entries;
  for (std::size_t i = 0; i < plan.n; ++i) {
    if (bases[i].is_infinity()) continue;
    zkgpu::MsmDigits<Fr> digits(scalars[i], plan.window_bits);
    for (unsigned w = 0; w < plan.windows; ++w) {
      const auto digit = digits.next();
      if (digit == 0) continue;
      entries.push_back(zkgpu::msm_entry(plan, digit, digits.negative(), w, i));
      REQUIRE(entries.back().key < plan.all_buckets());
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  std::vector<std::uint32_t> keys, places;
  for (const auto& e : entries) keys.push_back(e.key), places.push_back(e.place);
  const std::size_t size = 7;  // short segments: many runs cross them
  const std::size_t segments = (entries.size() + size - 1) / size;
  std::vector<zkgpu::Xyzz<L>> buckets(plan.all_buckets(), zkgpu::Xyzz<L>::infinity());
  std::vector<zkgpu::Xyzz<L>> head_sums(segments);
  std::vector<std::uint32_t> head_keys(segments);
  zkgpu::SegmentSinks<L> sinks{buckets.data(), head_keys.data(), head_sums.data(), true};
  for (std::size_t s = 0; s < segments; ++s) {
    zkgpu::sum_segment(s, s * size, std::min((s + 1) * size, entries.size()), keys.data(),
                       places.data(), sinks, [&](std::uint32_t place) {
                         const auto& p = table[place & 0x7fffffff];
                         zkgpu::Affine<L> q{zkgpu::to_lazy(p.x), zkgpu::to_lazy(p.y)};
                         return place >> 31 != 0 ? -q : q;
                       });
  }
  for (std::size_t s = 0; s < segments; ++s) {
    if (head_keys[s] != zkgpu::msm_no_key) buckets[head_keys[s]] += head_sums[s];
  }
  auto result = G::Jacobian::infinity();
  for (unsigned g = plan.groups; g-- > 0;) {
    for (unsigned k = 0; k < plan.window_bits; ++k) result = result.doubled();
    auto running = zkgpu::Xyzz<L>::infinity();
    auto sum = running;
    for (std::size_t b = plan.buckets(); b-- > 0;) {
      running += buckets[g * plan.buckets() + b];
      sum += running;
    }
    const auto j = sum.to_jacobian();
    result += typename G::Jacobian{zkgpu::to_canonical(j.x), zkgpu::to_canonical(j.y),
                                   zkgpu::to_canonical(j.z)};
  }
  return result;
}

/// Points with known logarithms, so that the answer is one multiplication.
template <class G>
struct Points {
  std::vector<typename G::Affine> points;
  std::vector<Fr> logarithms;
  explicit Points(std::size_t n) {
    auto p = zkgpu::Xyzz<typename G::Params>::from_affine(G::generator());
    Fr log = Fr::one();
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 5 == 3 && i > 3) {  // duplicates, opposites and infinity
        points.push_back(i % 2 == 0 ? points[i - 2] : -points[i - 2]);
        logarithms.push_back(i % 2 == 0 ? logarithms[i - 2] : -logarithms[i - 2]);
      } else if (i % 11 == 10) {
        points.push_back(G::Affine::infinity());
        logarithms.push_back(Fr::zero());
      } else {
        points.push_back(p.to_affine());
        logarithms.push_back(log);
      }
      p = p.doubled();
      log = log.doubled();
    }
  }
};

template <class G>
void check_msm(std::size_t n, unsigned window_bits, unsigned tables, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Points<G> at(n);
  std::vector<Fr::Integer> scalars;
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < n; ++i) {
    Fr::Integer k = random_integer(random);  // above the order too
    if (i % 7 == 0) k = Fr::Integer::from_uint64(i % 3);
    if (i % 9 == 0) k = (-Fr(static_cast<int>(i % 4))).to_integer();
    scalars.push_back(k);
    while (!Fr::is_canonical(k)) zkgpu::limb_ops::portable::subtract(k, k, Fr::modulus());
    sum += Fr::from_integer(k) * at.logarithms[i];
  }
  const zkgpu::DeviceProperties machine{.compute_units = 4};
  const auto plan = zkgpu::plan_cuda_msm_with(shape<G>(), n, window_bits, tables, machine);
  INFO(to_string(plan));
  using J = typename G::Jacobian;
  const J expected =
      zkgpu::scalar_mul_double_and_add(J::from_affine(G::generator()), sum.to_integer());
  CHECK(msm_by_bodies<G>(plan, scalars, at.points) == expected);
}

}  // namespace

TEST_CASE("signed digits recompose to the scalar modulo the order", "[msm][cuda][fr]") {
  std::mt19937_64 random(41);
  const Fr::Integer half = zkgpu::shift_right(Fr::modulus(), 1);
  std::vector<Fr::Integer> cases{Fr::Integer::zero(), Fr::Integer::from_uint64(1), half,
                                 Fr::modulus(), Fr::Integer{{~0ull, ~0ull, ~0ull, ~0ull}}};
  cases.push_back(half);
  cases.back().limb[0] += 1;
  for (int i = 0; i < 200; ++i) cases.push_back(random_integer(random));
  for (unsigned c = 2; c <= 24; ++c) {
    const unsigned windows = (unsigned{Fr::bits} - 1 + c) / c;
    for (const auto& k : cases) {
      zkgpu::MsmDigits<Fr> digits(k, c);
      Fr sum = Fr::zero();
      Fr weight = Fr::one();
      for (unsigned w = 0; w < windows; ++w) {
        const auto digit = digits.next();
        REQUIRE(digit <= 1 << (c - 1));
        REQUIRE(digit > -(1 << (c - 1)));
        sum += weight * Fr(digit);
        for (unsigned b = 0; b < c; ++b) weight = weight.doubled();
      }
      if (digits.negative()) sum = -sum;
      Fr::Integer canonical = k;
      while (!Fr::is_canonical(canonical)) {
        zkgpu::limb_ops::portable::subtract(canonical, canonical, Fr::modulus());
      }
      REQUIRE(sum == Fr::from_integer(canonical));
    }
  }
}

TEST_CASE("the bodies of the device's MSM give the sum for every plan", "[msm][cuda][g1][oracle]") {
  for (unsigned c : {2u, 5u, 8u}) {
    for (unsigned tables : {1u, 3u, 1000u}) check_msm<Bls12_381::G1>(60, c, tables, c);
  }
  check_msm<Bls12_381::G1>(1, 4, 1, 1);
  check_msm<Bls12_381::G2>(40, 6, 4, 5);
}

TEST_CASE("a plan of the device covers all windows and stays in its limits", "[msm][cuda][plan]") {
  const zkgpu::DeviceProperties machine{.compute_units = 132};
  for (unsigned log_n = 0; log_n <= 28; ++log_n) {
    for (std::size_t table_bytes : {std::size_t{0}, std::size_t{1} << 30, std::size_t{100} << 30}) {
      const std::size_t n = std::size_t{1} << log_n;
      const auto plan = zkgpu::plan_cuda_msm(shape<Bls12_381::G1>(), n, table_bytes, machine);
      INFO(to_string(plan));
      CHECK(plan.windows * plan.window_bits >= Fr::bits);
      CHECK(plan.tables * plan.groups >= plan.windows);
      CHECK((plan.tables == 1 || plan.table_bytes() <= table_bytes));
      CHECK(plan.tables * n <= std::size_t{1} << 31);
      CHECK(plan.chunk_points >= 1);
      CHECK(plan.workspace_bytes() < std::size_t{20} << 30);
      for (std::size_t entries : {std::size_t{1}, plan.chunk_entries() / 2, plan.chunk_entries()}) {
        if (entries == 0) continue;
        CHECK(plan.segments(entries) <= plan.max_segments());
      }
    }
  }
  CHECK(zkgpu::plan_cuda_msm(shape<Bls12_381::G1>(), 0, 0, machine).workspace_bytes() == 0);
}
