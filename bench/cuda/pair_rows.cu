// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/pairs.cuh>

#include "../../tests/gpu/points.hpp"

namespace zkgpu::bench {

namespace {

using namespace msm_cuda;

/// A sorted list of random places in a table, and room for what a round leaves.
template <class G>
struct Lists {
  using L = LazyParams<typename G::Params>;
  std::size_t n;
  CudaBuffer<typename G::Affine> table;
  CudaBuffer<std::uint32_t> keys, places, words, next_keys;
  CudaBuffer<LazyAffine<typename G::Params>> points, sums;
  CudaBuffer<typename L::BaseField> products;

  Lists(const Cuda& cuda, const CudaQueue& queue, unsigned log_n, unsigned log_table)
      : n(std::size_t{1} << log_n),
        table(cuda.allocate<typename G::Affine>(std::size_t{1} << log_table)),
        keys(cuda.allocate<std::uint32_t>(n)),
        places(cuda.allocate<std::uint32_t>(n)),
        words(cuda.allocate<std::uint32_t>(n)),
        next_keys(cuda.allocate<std::uint32_t>(n)),
        points(cuda.allocate<LazyAffine<typename G::Params>>(n)),
        sums(cuda.allocate<LazyAffine<typename G::Params>>(n)),
        products(cuda.allocate<typename L::BaseField>(n / 2 + 32)) {
    gpu_test::make_points<G>(cuda, queue, 1, table.span());
    std::vector<std::uint32_t> k(n), p(n);
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < n; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      k[i] = static_cast<std::uint32_t>(i / 96);
      p[i] = static_cast<std::uint32_t>(state >> (64 - log_table)) |
             static_cast<std::uint32_t>(state & 0x80000000u);
    }
    queue.upload(std::span<const std::uint32_t>(k), keys.span());
    queue.upload(std::span<const std::uint32_t>(p), places.span());
    queue.wait();
  }
};

template <class G>
void rows_of(const Cuda& cuda, const CudaQueue& queue, Report& report, Lists<G>& at,
             const std::string& group, unsigned lane_pairs) {
  using L = typename Lists<G>::L;
  constexpr unsigned blocks = cuda_pair_blocks(sizeof(Affine<L>));
  const std::size_t resident = cuda.properties().compute_units * blocks * cuda_pair_block;
  const std::size_t waves = std::max<std::size_t>(1, at.n / 2 / (lane_pairs * resident));
  const auto tiles = static_cast<std::uint32_t>(waves * resident / DeviceWarp::lanes);
  const Grid grid = pair_grid<L>(tiles);
  std::uint32_t* const words = at.words.data();
  Grid counting = grid_for(tiles, 256 / DeviceWarp::lanes);
  counting.threads = 256;
  set_word(queue, words, at.n);
  launch(queue, counting, "bench.count", count_pairs_kernel, at.keys.data(), words, tiles,
         words + 2);
  launch(queue, Grid{dim3(1), pair_scan_threads, 0}, "bench.scan", scan_pairs_kernel, words + 2,
         tiles, words, words + 1, nullptr);
  const auto pieces = [](auto& buffer) { return reinterpret_cast<MemoryPiece*>(buffer.data()); };
  const PairResults<L> results{
      at.next_keys.data(), {pieces(at.sums), true}, nullptr, pieces(at.products)};
  const auto add = [&](const std::string& kind, const auto& list) {
    Row row = measure(queue,
                      "msm/bls12_381_" + group + "/cuda/pairs/" + kind + "/blocks_" +
                          std::to_string(blocks) + "/lane_" + std::to_string(lane_pairs),
                      7, [&](const CudaQueue& q) {
                        using List = std::decay_t<decltype(list)>;
                        launch(q, grid, "bench.pairs", add_pairs_kernel<L, List>, at.keys.data(),
                               list, words, tiles, words + 2, results);
                      });
    row.counters = {{"additions_per_second", double(at.n / 2) / row.median_ms * 1e3}};
    report.add(std::move(row));
  };
  add("gathered",
      GatheredPoints<L>{at.places.data(), reinterpret_cast<const Affine<L>*>(at.table.data())});
  queue.copy_within(DeviceSpan<const LazyAffine<typename G::Params>>(
                        reinterpret_cast<const Affine<L>*>(at.table.data()), at.n),
                    at.points.span());
  // woven or not, they are coordinates below 2p: a sum costs the same off the curve
  add("listed", ListedPoints<L>{{pieces(at.points), true}});
}

}  // namespace

void pair_rows(const Cuda& cuda, Report& report) {
  const CudaQueue queue = cuda.make_queue();
  {
    using G = Bls12_381::G1;
    Lists<G> at(cuda, queue, 25, 26);
    for (unsigned lane_pairs : {64u, 128u, 256u}) {
      rows_of<G>(cuda, queue, report, at, "g1", lane_pairs);
    }
  }
  using G = Bls12_381::G2;
  Lists<G> at(cuda, queue, 24, 25);
  for (unsigned lane_pairs : {64u, 128u, 256u}) {
    rows_of<G>(cuda, queue, report, at, "g2", lane_pairs);
  }
}

}  // namespace zkgpu::bench
