// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <array>
#include <chrono>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/ntt/cuda.hpp>

#include "../../tests/gpu/points.hpp"

namespace zkgpu::bench {

namespace {

using gpu_test::Scalars;

template <class G>
void rows_of(const Cuda& cuda, Report& report, const std::string& group, unsigned log_n,
             std::size_t table_bytes, bool witness, unsigned window_bits) {
  using Op = Msm<G, Cuda>;
  const CudaQueue queue = cuda.make_queue();
  const std::size_t n = std::size_t{1} << log_n;
  auto points = cuda.allocate<typename G::Affine>(n);
  gpu_test::make_points<G>(cuda, queue, 1, points.span());
  const auto plan = window_bits == 0
                        ? Op::plan(n, table_bytes, cuda.properties())
                        : plan_cuda_msm_with(Op::shape(), n, window_bits,
                                             table_bytes == 0 ? 1 : 1000, cuda.properties());
  const auto start = std::chrono::steady_clock::now();
  const CudaMsmBases<G> bases(cuda, queue, plan, points.span());
  queue.wait();
  const double build_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  auto scalars = cuda.allocate<Bls12_381::Fr::Integer>(n);
  auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
  auto result = cuda.allocate<typename G::Jacobian>(1);
  for (Scalars kind : {Scalars::uniform, Scalars::witness}) {
    if (kind == Scalars::witness && !witness) continue;
    const auto made = gpu_test::make_scalars(kind, n, 3);
    queue.upload(std::span<const Bls12_381::Fr::Integer>(made), scalars.span());
    const std::string name = "msm/bls12_381_" + group + "/cuda/" +
                             (kind == Scalars::uniform ? "uniform" : "witness") +
                             (plan.tables == 1 ? "/no_table" : "/table") +
                             (window_bits == 0 ? "" : "_c" + std::to_string(window_bits)) + "/2^" +
                             std::to_string(log_n);
    Row row = measure(queue, name, window_bits == 0 ? 21 : 5, [&](const CudaQueue& q) {
      Op::enqueue(q, plan, scalars.span(), bases, workspace.span(), result.span());
    });
    typename G::Jacobian sum;
    queue.download(DeviceSpan<const typename G::Jacobian>(result.span()),
                   std::span<typename G::Jacobian>(&sum, 1));
    queue.wait();
    const auto log = gpu_test::combined_logarithm(made, 1).to_integer();
    const bool right =
        sum == scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()), log);
    row.counters = {{"points_per_second", double(n) / row.median_ms * 1e3},
                    {"window_bits", double(plan.window_bits)},
                    {"tables", double(plan.tables)},
                    {"table_bytes", double(plan.table_bytes())},
                    {"table_build_ms", build_ms},
                    {"right", right ? 1.0 : 0.0}};
    report.add(std::move(row));
  }
}

}  // namespace

void msm_rows(const Cuda& cuda, Report& report) {
  constexpr std::size_t all = std::size_t{72} << 30;
  for (unsigned log_n : {16u, 18u, 20u, 22u, 24u}) {
    rows_of<Bls12_381::G1>(cuda, report, "g1", log_n, all, log_n >= 20, 0);
    rows_of<Bls12_381::G1>(cuda, report, "g1", log_n, 0, false, 0);
  }
  for (unsigned log_n : {16u, 18u, 20u, 22u}) {
    rows_of<Bls12_381::G2>(cuda, report, "g2", log_n, all, log_n >= 20, 0);
  }
  rows_of<Bls12_381::G1>(cuda, report, "g1", 26, all, true, 0);
  rows_of<Bls12_381::G1>(cuda, report, "g1", 26, 0, false, 0);
  rows_of<Bls12_381::G2>(cuda, report, "g2", 24, all, false, 0);
}

void msm_quick_rows(const Cuda& cuda, Report& report) {
  constexpr std::size_t all = std::size_t{80} << 30;
  for (unsigned log_n : {16u, 18u, 20u, 22u, 24u}) {
    rows_of<Bls12_381::G1>(cuda, report, "g1", log_n, all, log_n >= 20, 0);
  }
  rows_of<Bls12_381::G1>(cuda, report, "g1", 22, 0, false, 0);
  for (unsigned log_n : {20u, 22u}) {
    rows_of<Bls12_381::G2>(cuda, report, "g2", log_n, all, false, 0);
  }
}

void profile_runs(const Cuda& cuda) {
  using Fr = Bls12_381::Fr;
  using G = Bls12_381::G1;
  const CudaQueue queue = cuda.make_queue();
  {
    const CudaNttTwiddles<Fr> twiddles(cuda, queue, NttDomain<Fr>(24));
    auto values = cuda.allocate<Fr>(std::size_t{1} << 24);
    Ntt<Fr, Cuda>::enqueue_powers(queue, Fr(11), Fr(13), false, values.span());
    Ntt<Fr, Cuda>::enqueue(queue, plan_cuda_ntt(24), twiddles,
                           {NttDirection::forward, NttOrder::natural_to_reversed, Fr::one()},
                           values.span(), {});
    queue.wait();
  }
  const std::size_t n = std::size_t{1} << 22;
  const auto plan = Msm<G, Cuda>::plan(n, std::size_t{80} << 30, cuda.properties());
  auto points = cuda.allocate<G::Affine>(n);
  gpu_test::make_points<G>(cuda, queue, 1, points.span());
  const CudaMsmBases<G> bases(cuda, queue, plan, points.span());
  auto scalars = cuda.allocate<Fr::Integer>(n);
  auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
  auto result = cuda.allocate<G::Jacobian>(1);
  const auto made = gpu_test::make_scalars(Scalars::uniform, n, 3);
  queue.upload(std::span<const Fr::Integer>(made), scalars.span());
  Msm<G, Cuda>::enqueue(queue, plan, scalars.span(), bases, workspace.span(), result.span());
  queue.wait();
}

void msm_window_rows(const Cuda& cuda, Report& report) {
  constexpr std::size_t all = std::size_t{80} << 30;
  for (const auto& [log_n, first, last] :
       {std::array<unsigned, 3>{16, 13, 17}, {18, 15, 18}, {20, 17, 20}, {22, 18, 22}}) {
    for (unsigned c = first; c <= last; ++c) {
      rows_of<Bls12_381::G1>(cuda, report, "g1", log_n, all, false, c);
    }
  }
}

}  // namespace zkgpu::bench
