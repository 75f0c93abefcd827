// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <random>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/bitmap/bitmap_msm.hpp>

#include "../../tests/gpu/points.hpp"

namespace zkgpu::bench {

namespace {

using gpu_test::Scalars;
using Fr = Bls12_381::Fr;

/// A witness of 45 % zeros, 45 % ones and 10 % uniform scalars, as a bitmap.
struct WitnessBitmap {
  std::vector<std::uint64_t> ones;
  std::vector<std::uint32_t> places;
  std::vector<Fr::Integer> values;
  Fr logarithm;

  WitnessBitmap(std::size_t n, std::uint64_t seed) : ones((n + 63) / 64) {
    const auto scalars = gpu_test::make_scalars(Scalars::witness, n, seed);
    logarithm = gpu_test::combined_logarithm(scalars, 1);
    const auto one = Fr::Integer::from_uint64(1);
    for (std::size_t i = 0; i < n; ++i) {
      if (scalars[i].is_zero()) continue;
      if (scalars[i] == one) {
        ones[i / 64] |= std::uint64_t{1} << (i % 64);
      } else {
        places.push_back(static_cast<std::uint32_t>(i));
        values.push_back(scalars[i]);
      }
    }
  }
};

template <class G, class Run>
void row_of(const Cuda& cuda, Report& report, const std::string& name,
            const CudaMsmBitmapPlan& plan, const WitnessBitmap& witness, const Run& run) {
  const CudaQueue queue = cuda.make_queue();
  auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
  auto results = cuda.allocate<typename G::Jacobian>(plan.bitmaps);
  Row row = measure(queue, name, 21,
                    [&](const CudaQueue& q) { run(q, workspace.span(), results.span()); });
  std::vector<typename G::Jacobian> sums(plan.bitmaps);
  queue.download(DeviceSpan<const typename G::Jacobian>(results.span()),
                 std::span<typename G::Jacobian>(sums));
  queue.wait();
  const auto expected = scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()),
                                                  witness.logarithm.to_integer());
  bool right = true;
  for (const auto& sum : sums) right = right && sum == expected;
  row.counters = {{"bitmaps", double(plan.bitmaps)},
                  {"window_bits", double(plan.sum.window_bits)},
                  {"tables", double(plan.sum.tables)},
                  {"workspace_bytes", double(plan.workspace_bytes())},
                  {"right", right ? 1.0 : 0.0}};
  report.add(std::move(row));
}

/// @param most  bitmaps in one pass: 1 or 4
template <class G>
void rows_of(const Cuda& cuda, Report& report, const std::string& group, unsigned log_n,
             std::size_t most, bool streamed) {
  const std::size_t n = std::size_t{1} << log_n;
  constexpr std::size_t bytes = std::size_t{24} << 30;
  const CudaQueue queue = cuda.make_queue();
  auto points = cuda.allocate<typename G::Affine>(n);
  gpu_test::make_points<G>(cuda, queue, 1, points.span());
  const WitnessBitmap witness(n, 5);
  std::vector<CudaMsmBitmap<Fr>> bitmaps;
  for (std::size_t i = 0; i < most; ++i) {
    bitmaps.emplace_back(cuda, queue,
                         MsmBitmap<Fr>{n, witness.ones, witness.places, witness.values});
  }
  queue.wait();
  const std::string begin = "msm/bls12_381_" + group + "/cuda/bitmap";
  const std::string end = "/2^" + std::to_string(log_n);
  const auto shape = Msm<G, Cuda>::shape();
  const std::span<const CudaMsmBitmap<Fr>> all(bitmaps);
  for (std::size_t table_bytes : {std::size_t{0}, std::size_t{most == 1 ? 60u : 20u} << 30}) {
    const CudaMsmBitmapSizes one{n, witness.places.size(), 1};
    const CudaMsmBases<G> bases(
        cuda, queue, plan_cuda_msm_bitmap_bases(shape, one, table_bytes, cuda.properties()),
        points.span());
    for (std::size_t count = 1; count <= most; count += 3) {
      if (count > 1 && table_bytes == 0) continue;
      const auto plan =
          plan_cuda_msm_bitmap(bases.plan(), {n, witness.places.size(), count}, bytes);
      row_of<G>(cuda, report,
                begin + std::to_string(count) + (table_bytes == 0 ? "/no_table" : "/table") + end,
                plan, witness, [&](const CudaQueue& q, auto workspace, auto results) {
                  BitmapMsm<G>::enqueue(q, plan, all.first(count), bases, workspace, results);
                });
    }
  }
  if (!streamed) return;
  auto pinned = cuda.allocate_pinned<typename G::Affine>(n);
  queue.download(DeviceSpan<const typename G::Affine>(points.span()), pinned.span());
  queue.wait();
  const CudaFeed feed(cuda);
  const auto plan =
      plan_cuda_msm_bitmap_streamed(shape, {n, witness.places.size(), 4}, bytes, cuda.properties());
  row_of<G>(cuda, report, begin + "4/streamed" + end, plan, witness,
            [&](const CudaQueue& q, auto workspace, auto results) {
              BitmapMsm<G>::enqueue(q, feed, plan, all,
                                    CudaSource<typename G::Affine>(pinned.span()), workspace,
                                    results);
            });
}

}  // namespace

void bitmap_rows(const Cuda& cuda, Report& report) {
  rows_of<Bls12_381::G1>(cuda, report, "g1", 20, 4, false);
  rows_of<Bls12_381::G1>(cuda, report, "g1", 24, 4, true);
  rows_of<Bls12_381::G2>(cuda, report, "g2", 22, 4, false);
  rows_of<Bls12_381::G1>(cuda, report, "g1", 26, 1, false);
}

}  // namespace zkgpu::bench
