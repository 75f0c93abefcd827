// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/batch/pairing.hpp>
#include <zkgpu/batch/points.hpp>
#include <zkgpu/curve/jacobian.hpp>

// One thread, with the best instructions of the machine; ZKGPU_FORCE_ARCH=x86_adx for those of one
// point at a time. Counter: items_per_second, points or pairs.
namespace {

using namespace zkgpu;
using C = Bls12_381;

constexpr std::size_t n = 256;

template <class G>
std::vector<typename G::Affine> multiples() {
  std::vector<typename G::Affine> points;
  auto p = G::Jacobian::from_affine(G::generator());
  while (points.size() < n) {
    p = p.doubled() + G::generator();
    points.push_back(p.to_affine());
  }
  return points;
}

template <class G>
void add_group(const std::string& group) {
  const std::string name = "batch/" + group + "/";
  benchmark::RegisterBenchmark((name + "decompress/256").c_str(), [](benchmark::State& state) {
    constexpr std::size_t size = compressed_bytes<typename G::Params>;
    std::vector<std::byte> bytes;
    for (const auto& p : multiples<G>()) {
      const auto one = encode_compressed(p);
      bytes.insert(bytes.end(), one.begin(), one.end());
    }
    std::vector<typename G::Affine> points(n);
    std::vector<PointStatus> statuses(n);
    for (auto _ : state) {
      batch::decode_compressed_points<G>({bytes, size}, points, statuses);
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
  });
  benchmark::RegisterBenchmark((name + "subgroup_check/256").c_str(), [](benchmark::State& state) {
    const auto points = multiples<G>();
    for (auto _ : state) {
      benchmark::DoNotOptimize(batch::first_outside_subgroup<G>(points));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
  });
}

void add_pairing() {
  for (const std::size_t pairs : {1u, 2u, 3u, 8u, 16u, 32u}) {
    const std::string name = "batch/bls12_381/multi_miller_loop/" + std::to_string(pairs);
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      const std::vector<PairingTerm<C>> terms(
          pairs, PairingTerm<C>{C::G1::generator(), C::G2::generator()});
      for (auto _ : state) {
        benchmark::DoNotOptimize(batch::multi_miller_loop<C>(terms));
      }
      state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs));
    });
  }
  benchmark::RegisterBenchmark("batch/bls12_381/pairing_check/16", [](benchmark::State& state) {
    const std::vector<PairingTerm<C>> terms(16,
                                            PairingTerm<C>{C::G1::generator(), C::G2::generator()});
    for (auto _ : state) {
      benchmark::DoNotOptimize(batch::pairing_check<C>(terms));
    }
    state.SetItemsProcessed(state.iterations() * 16);
  });
  benchmark::RegisterBenchmark("batch/bls12_381/pairing", [](benchmark::State& state) {
    for (auto _ : state) {
      benchmark::DoNotOptimize(batch::pairing<C>(C::G1::generator(), C::G2::generator()));
    }
    state.SetItemsProcessed(state.iterations());
  });
  const auto add_final = [](const char* name, C::Fq12 (*function)(const C::Fq12&)) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
      const auto f = miller_loop<C>(C::G1::generator(), C::G2::generator());
      for (auto _ : state) benchmark::DoNotOptimize(function(f));
      state.SetItemsProcessed(state.iterations());
    });
  };
  add_final("batch/bls12_381/final_exponentiation", batch::final_exponentiation<C>);
  add_final("batch/bls12_381/final_exponentiation_cubed", batch::final_exponentiation_cubed<C>);
}

const bool registered = [] {
  add_pairing();
  add_group<C::G1>("bls12_381_g1");
  add_group<C::G2>("bls12_381_g2");
  return true;
}();

}  // namespace
