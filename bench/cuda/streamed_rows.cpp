// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <algorithm>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/streamed/streamed_msm.hpp>

#include "../../tests/gpu/points.hpp"

namespace zkgpu::bench {

namespace {

using gpu_test::Scalars;
using Integer = Bls12_381::Fr::Integer;

/// Bases and scalars in the host's memory, and the sum that is right.
template <class G>
struct HostOperands {
  PinnedBuffer<typename G::Affine> points;
  PinnedBuffer<Integer> scalars;
  std::vector<typename G::Affine> pageable_points;
  std::vector<Integer> pageable_scalars;
  typename G::Jacobian sum;

  HostOperands(const Cuda& cuda, const CudaQueue& queue, std::size_t n, bool pageable)
      : points(cuda.allocate_pinned<typename G::Affine>(n)),
        scalars(cuda.allocate_pinned<Integer>(n)) {
    auto made = cuda.allocate<typename G::Affine>(n);
    gpu_test::make_points<G>(cuda, queue, 1, made.span());
    queue.download(DeviceSpan<const typename G::Affine>(made.span()), points.span());
    queue.wait();
    const auto integers = gpu_test::make_scalars(Scalars::uniform, n, 3);
    std::copy(integers.begin(), integers.end(), scalars.span().begin());
    sum = scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()),
                                    gpu_test::combined_logarithm(integers, 1).to_integer());
    if (!pageable) return;
    pageable_points.assign(points.span().begin(), points.span().end());
    pageable_scalars.assign(scalars.span().begin(), scalars.span().end());
  }
};

template <class G, class Bases>
void row_of(const Cuda& cuda, Report& report, const std::string& name,
            const CudaMsmStreamPlan& plan, CudaSource<Integer> scalars, const Bases& bases,
            const typename G::Jacobian& right, unsigned threads = 0) {
  const CudaQueue queue = cuda.make_queue();
  const CudaFeed feed(cuda, threads);
  auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
  auto result = cuda.allocate<typename G::Jacobian>(1);
  Row row = measure(queue, name, 21, [&](const CudaQueue& q) {
    StreamedMsm<G>::enqueue(q, feed, plan, scalars, bases, workspace.span(), result.span());
  });
  typename G::Jacobian sum;
  queue.download(DeviceSpan<const typename G::Jacobian>(result.span()),
                 std::span<typename G::Jacobian>(&sum, 1));
  queue.wait();
  row.counters = {{"points_per_second", double(plan.sum.n) / row.median_ms * 1e3},
                  {"window_bits", double(plan.sum.window_bits)},
                  {"chunks", double(plan.chunks())},
                  {"workspace_bytes", double(plan.workspace_bytes())},
                  {"right", sum == right ? 1.0 : 0.0}};
  report.add(std::move(row));
}

/// Which rows there are of a size.
enum class Rows { pinned, places, all };

template <class G>
void rows_of(const Cuda& cuda, Report& report, const std::string& group, unsigned log_n,
             std::size_t bytes, Rows which) {
  using Affine = typename G::Affine;
  const std::size_t n = std::size_t{1} << log_n;
  const CudaQueue queue = cuda.make_queue();
  const HostOperands<G> at(cuda, queue, n, which != Rows::pinned);
  const std::string begin = "msm/bls12_381_" + group + "/cuda/";
  const std::string end = "/2^" + std::to_string(log_n);
  const auto plan = StreamedMsm<G>::plan(n, bytes, cuda.properties());
  const CudaSource<Integer> scalars = at.scalars.span();
  row_of<G>(cuda, report, begin + "streamed/pinned" + end, plan, scalars,
            CudaSource<Affine>(at.points.span()), at.sum);
  if (which == Rows::pinned) return;
  const CudaSource<Integer> pageable = std::span<const Integer>(at.pageable_scalars);
  const CudaSource<Affine> pageable_bases = std::span<const Affine>(at.pageable_points);
  row_of<G>(cuda, report, begin + "streamed/pageable" + end, plan, pageable, pageable_bases,
            at.sum);
  if (which == Rows::places) return;
  for (unsigned threads : {1u, 2u, 4u, 12u}) {
    row_of<G>(cuda, report,
              begin + "streamed/pageable_" + std::to_string(threads) + "_threads" + end, plan,
              pageable, pageable_bases, at.sum, threads);
  }
  const auto small = StreamedMsm<G>::plan(n, std::size_t{1} << 30, cuda.properties());
  row_of<G>(cuda, report, begin + "streamed/pinned_1GiB" + end, small, scalars,
            CudaSource<Affine>(at.points.span()), at.sum);
  const CudaMsmBases<G> bases(cuda, queue,
                              Msm<G, Cuda>::plan(n, std::size_t{20} << 30, cuda.properties()),
                              CudaSource<Affine>(at.points.span()));
  const auto over = plan_cuda_msm_scalars(bases.plan(), bytes);
  row_of<G>(cuda, report, begin + "scalars/pinned" + end, over, scalars, bases, at.sum);
  row_of<G>(cuda, report, begin + "scalars/pageable" + end, over, pageable, bases, at.sum);
}

}  // namespace

void streamed_rows(const Cuda& cuda, Report& report) {
  constexpr std::size_t bytes = std::size_t{40} << 30;
  rows_of<Bls12_381::G1>(cuda, report, "g1", 20, bytes, Rows::places);
  rows_of<Bls12_381::G1>(cuda, report, "g1", 22, bytes, Rows::places);
  rows_of<Bls12_381::G1>(cuda, report, "g1", 24, bytes, Rows::all);
  rows_of<Bls12_381::G1>(cuda, report, "g1", 26, bytes, Rows::places);
  rows_of<Bls12_381::G2>(cuda, report, "g2", 22, bytes, Rows::places);
}

}  // namespace zkgpu::bench
