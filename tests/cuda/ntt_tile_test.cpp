// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/cuda/difference_tile.hpp>
#include <zkgpu/ntt/tile.hpp>

namespace {

using zkgpu::Array;
using zkgpu::CudaNttPlan;
using zkgpu::NttDifference;
using zkgpu::NttFlow;
using zkgpu::NttPass;
using zkgpu::bls12_381::Fr;
using zkgpu::bls12_381::FrParams;

Fr random_element(std::mt19937_64& random) {
  Fr::Integer n{};
  for (auto& limb : n.limb) limb = random();
  while (!Fr::is_canonical(n)) n = zkgpu::shift_right(n, 1);
  return Fr::from_montgomery(n);
}

std::size_t reverse(std::size_t i, unsigned bits) {
  std::size_t r = 0;
  for (unsigned k = 0; k < bits; ++k) r |= ((i >> k) & 1) << (bits - 1 - k);
  return r;
}

/// Natural to natural by the textbook's radix-2 recursion.
std::vector<Fr> transform(std::vector<Fr> x, const Fr& root) {
  if (x.size() == 1) return x;
  std::vector<Fr> even, odd;
  for (std::size_t i = 0; i < x.size(); ++i) (i % 2 == 0 ? even : odd).push_back(x[i]);
  even = transform(even, root.square());
  odd = transform(odd, root.square());
  Fr w = Fr::one();
  for (std::size_t i = 0; i < even.size(); ++i, w *= root) {
    const Fr t = w * odd[i];
    x[i] = even[i] + t;
    x[i + even.size()] = even[i] - t;
  }
  return x;
}

Array<Fr> powers(const Fr& root, std::size_t n) {
  Array<Fr> table(n);
  Fr w = Fr::one();
  for (auto& entry : table) entry = w, w *= root;
  return table;
}

template <unsigned L, NttFlow flow, bool contiguous>
void run_pass_of(const NttPass<Fr>& pass, std::size_t n) {
  using Tile = zkgpu::NttTile<Fr, L, flow, contiguous>;
  Array<zkgpu::NttHalf> low(zkgpu::NttPassShape<L>::elements), high(low.size());
  const zkgpu::NttPlanes planes{low.data(), high.data()};
  for (std::size_t block = 0; block < n / low.size(); ++block) {
    for (unsigned step = 0; step < Tile::steps; ++step) {
      for (unsigned thread = 0; thread < Tile::threads; ++thread) {
        Tile(pass, planes, block, thread).run(step);
      }
    }
  }
}

template <unsigned L, NttFlow flow>
void run_pass(const NttPass<Fr>& pass, std::size_t n) {
  if (pass.log_stride == 0) {
    run_pass_of<L, flow, true>(pass, n);
  } else {
    run_pass_of<L, flow, false>(pass, n);
  }
}

template <unsigned L>
void run_difference(const NttPass<Fr>& pass, const NttDifference<Fr>& difference,
                    const CudaNttPlan& plan) {
  using Tile = zkgpu::NttDifferenceTile<Fr, L>;
  Array<zkgpu::NttHalf> low(zkgpu::NttPassShape<L>::elements), high(low.size());
  const zkgpu::NttPlanes planes{low.data(), high.data()};
  for (std::size_t block = 0; block < plan.size() / low.size(); ++block) {
    for (unsigned step = 0; step < Tile::steps; ++step) {
      for (unsigned thread = 0; thread < Tile::threads; ++thread) {
        Tile(pass, difference, plan.log_n, planes, block, thread).run(step);
      }
    }
  }
}

/// What passes read besides the values.
struct Operands {
  const Fr* scale = nullptr;
  bool scale_on_load = false;
  const Fr* factor = nullptr;
  const Fr* source = nullptr;
  const NttDifference<Fr>* difference = nullptr;
};

template <NttFlow flow, unsigned L>
void run_pass_or_difference(const NttPass<Fr>& pass, const Operands& operands,
                            const CudaNttPlan& plan) {
  if (pass.last && operands.difference != nullptr) {
    run_difference<L>(pass, *operands.difference, plan);
  } else {
    run_pass<L, flow>(pass, plan.size());
  }
}

/// All passes of a plan on the host.
template <NttFlow flow>
void run_passes(const CudaNttPlan& plan, const Fr& root, Fr* values, const Operands& operands) {
  const Fr half = Fr(2).inverse();
  for (unsigned step = 0; step < plan.passes; ++step) {
    const unsigned k = flow == NttFlow::dif ? step : plan.passes - 1 - step;
    const unsigned levels = plan.levels[k];
    const unsigned span = levels + plan.log_stride(k);
    Fr block_root = root;
    for (unsigned i = span; i < plan.log_n; ++i) block_root = block_root.square();
    Fr local_root = root;
    for (unsigned i = levels; i < plan.log_n; ++i) local_root = local_root.square();
    Fr root8 = root;
    for (unsigned i = 3; i < plan.log_n; ++i) root8 = root8.square();
    const auto local_powers = powers(local_root, std::size_t{1} << levels);
    Array<zkgpu::KnownFactor<FrParams>> local(local_powers.size());
    for (std::size_t i = 0; i < local.size(); ++i) {
      local[i] = zkgpu::KnownFactor<FrParams>::from(local_powers[i]);
    }
    const auto all = powers(block_root, std::size_t{1} << span);
    Array<Fr> twiddles(std::size_t{1} << span);
    for (std::size_t i = 0; i < twiddles.size(); ++i) {
      const std::size_t row = i >> plan.log_stride(k);
      const std::size_t column = i & ((std::size_t{1} << plan.log_stride(k)) - 1);
      twiddles[i] = all[(reverse(row, levels) * column) & (twiddles.size() - 1)];
    }
    NttPass<Fr> pass;
    pass.values = values;
    pass.twiddles = twiddles.data();
    pass.local = local.data();
    pass.source = step == 0 && operands.source != nullptr ? operands.source : values;
    pass.scale = operands.scale;
    pass.factor = operands.factor;
    pass.constants = zkgpu::DftConstants<FrParams>::from_root(root8, half);
    pass.log_stride = plan.log_stride(k);
    pass.mask = plan.size() - 1;
    pass.first = step == 0;
    pass.last = step == plan.passes - 1;
    pass.scale_on_load = operands.scale_on_load;
    switch (levels) {
      case 6: run_pass_or_difference<flow, 6>(pass, operands, plan); break;
      case 7: run_pass_or_difference<flow, 7>(pass, operands, plan); break;
      case 8: run_pass_or_difference<flow, 8>(pass, operands, plan); break;
      case 9: run_pass_or_difference<flow, 9>(pass, operands, plan); break;
      default: FAIL("levels");
    }
  }
}

}  // namespace

TEST_CASE("every plan covers its levels with passes of six to nine", "[ntt][cuda][plan]") {
  for (unsigned log_n = 0; log_n <= 36; ++log_n) {
    const CudaNttPlan plan = zkgpu::plan_cuda_ntt(log_n);
    if (log_n <= CudaNttPlan::max_small) {
      CHECK(plan.passes == 0);
      continue;
    }
    unsigned sum = 0;
    for (unsigned k = 0; k < plan.passes; ++k) {
      CHECK(plan.levels[k] >= 6);
      CHECK(plan.levels[k] <= 9);
      sum += plan.levels[k];
    }
    CHECK(sum == log_n);
    CHECK(plan.log_stride(plan.passes - 1) == 0);
  }
  CHECK(to_string(zkgpu::plan_cuda_ntt(20)) == "ntt 2^20: 6 + 6 + 8 levels");
  CHECK(to_string(zkgpu::plan_cuda_ntt(24)) == "ntt 2^24: 6 + 9 + 9 levels");
  CHECK(to_string(zkgpu::plan_cuda_ntt(26)) == "ntt 2^26: 8 + 9 + 9 levels");
}

TEST_CASE("the passes of the device transform as the textbook does, both ways",
          "[ntt][cuda][fr][oracle]") {
  std::mt19937_64 random(21);
  CudaNttPlan deep;  // three passes, small enough for a test
  deep.log_n = 18;
  deep.passes = 3;
  for (unsigned k = 0; k < 3; ++k) deep.levels[k] = 6;
  CudaNttPlan mixed;
  mixed.log_n = 16;
  mixed.passes = 2;
  mixed.levels[0] = 7;
  mixed.levels[1] = 9;
  for (const CudaNttPlan& plan :
       {zkgpu::plan_cuda_ntt(12), zkgpu::plan_cuda_ntt(13), zkgpu::plan_cuda_ntt(15),
        zkgpu::plan_cuda_ntt(16), mixed, deep, zkgpu::plan_cuda_ntt(17)}) {
    INFO(to_string(plan));
    const std::size_t n = plan.size();
    const Fr root = Fr::root_of_unity(plan.log_n);
    Array<Fr> x(n), scale(n), factor(n);
    for (auto& v : x) v = random() % 8 == 0 ? -Fr::one() : random_element(random);
    for (auto& v : scale) v = random_element(random);
    for (auto& v : factor) v = random_element(random);
    const std::vector<Fr> expected = transform({x.begin(), x.end()}, root);

    Array<Fr> dif = x;
    run_passes<NttFlow::dif>(plan, root, dif.data(), {});
    Array<Fr> dit(n);
    for (std::size_t i = 0; i < n; ++i) dit[i] = x[reverse(i, plan.log_n)];
    run_passes<NttFlow::dit>(plan, root, dit.data(), {});
    Array<Fr> scaled = x;
    run_passes<NttFlow::dif>(plan, root, scaled.data(), {.scale = scale.data()});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = reverse(i, plan.log_n);
      wrong += dif[at] != expected[i];
      wrong += dit[i] != expected[i];
      wrong += scaled[at] != expected[i] * scale[at];
    }
    CHECK(wrong == 0);

    std::vector<Fr> product(n);
    Array<Fr> loaded(n);
    for (std::size_t i = 0; i < n; ++i) product[i] = x[i] * scale[i] * factor[i];
    run_passes<NttFlow::dif>(plan, root, loaded.data(),
                             {.scale = scale.data(),
                              .scale_on_load = true,
                              .factor = factor.data(),
                              .source = x.data()});
    product = transform(product, root);
    wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += loaded[reverse(i, plan.log_n)] != product[i];
    CHECK(wrong == 0);
  }
}

TEST_CASE("a last pass may end in a difference, in natural order", "[ntt][cuda][fr][oracle]") {
  std::mt19937_64 random(22);
  CudaNttPlan mixed;
  mixed.log_n = 15;
  mixed.passes = 2;
  mixed.levels[0] = 6;
  mixed.levels[1] = 9;
  for (const CudaNttPlan& plan :
       {zkgpu::plan_cuda_ntt(12), zkgpu::plan_cuda_ntt(14), zkgpu::plan_cuda_ntt(16), mixed}) {
    INFO(to_string(plan));
    const std::size_t n = plan.size();
    const Fr root = Fr::root_of_unity(plan.log_n);
    Array<Fr> x(n), scale(n), minuend(n);
    for (auto& v : x) v = random_element(random);
    for (auto& v : scale) v = random_element(random);
    for (auto& v : minuend) v = random() % 4 == 0 ? Fr::zero() : random_element(random);
    const std::vector<Fr> transformed = transform({x.begin(), x.end()}, root);
    Array<Fr::Integer> out(n);
    out[n - 1] = Fr::Integer{{1, 2, 3, 4}};
    const NttDifference<Fr> difference{minuend.data(), out.data(), n - 1};
    run_passes<NttFlow::dif>(plan, root, x.data(),
                             {.scale = scale.data(), .difference = &difference});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const std::size_t at = reverse(i, plan.log_n);
      wrong += out[i] != (minuend[at] - transformed[i] * scale[at]).montgomery();
    }
    CHECK(wrong == 0);
    CHECK(out[n - 1] == Fr::Integer{{1, 2, 3, 4}});  // beyond the size
  }
}
