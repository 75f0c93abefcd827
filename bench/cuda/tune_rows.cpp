// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <cstdio>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/tuned/row.hpp>

#include "../../tests/gpu/points.hpp"

namespace zkgpu::bench {

namespace {

using gpu_test::Scalars;
using Integer = Bls12_381::Fr::Integer;

/// Points, scalars and their sum, for plans to be tried on.
template <class G>
struct Trial {
  const Cuda& cuda;
  CudaQueue queue;
  std::size_t n;
  unsigned log_n;
  CudaBuffer<typename G::Affine> points;
  CudaBuffer<Integer> scalars;
  typename G::Jacobian right;

  Trial(const Cuda& device, unsigned log)
      : cuda(device),
        queue(device.make_queue()),
        n(std::size_t{1} << log),
        log_n(log),
        points(cuda.allocate<typename G::Affine>(n)),
        scalars(cuda.allocate<Integer>(n)) {
    gpu_test::make_points<G>(cuda, queue, 1, points.span());
    const auto made = gpu_test::make_scalars(Scalars::uniform, n, 3);
    queue.upload(std::span<const Integer>(made), scalars.span());
    queue.wait();
    right = scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()),
                                      gpu_test::combined_logarithm(made, 1).to_integer());
  }

  /// Times the plan over bases made for it; a wrong sum ends the program.
  CudaMsmTunedRow run(const CudaMsmPlan& plan, const CudaMsmBases<G>& bases) {
    auto workspace = cuda.template allocate<std::byte>(plan.workspace_bytes());
    auto result = cuda.template allocate<typename G::Jacobian>(1);
    const Row row = measure(queue, "tune", 5, [&](const CudaQueue& q) {
      Msm<G, Cuda>::enqueue(q, plan, scalars.span(), bases, workspace.span(), result.span());
    });
    typename G::Jacobian sum;
    queue.download(DeviceSpan<const typename G::Jacobian>(result.span()),
                   std::span<typename G::Jacobian>(&sum, 1));
    queue.wait();
    if (!(sum == right)) throw InternalError("tune: a wrong sum with " + to_string(plan));
    CudaMsmTunedRow tuned;
    tuned.architecture = cuda.properties().architecture;
    tuned.compute_units = static_cast<unsigned>(cuda.properties().compute_units);
    tuned.affine_bytes = sizeof(typename G::Affine);
    tuned.log_n = log_n;
    tuned.tables = plan.tables;
    tuned.window_bits = plan.window_bits;
    tuned.chunks = static_cast<unsigned>(plan.chunks());
    tuned.microseconds = static_cast<unsigned>(row.median_ms * 1000);
    return tuned;
  }
};

/// The fastest of plans with windows about as wide as the model's and about `share` of all tables.
template <class G>
CudaMsmTunedRow tune(const Cuda& cuda, Trial<G>& trial, unsigned share) {
  constexpr unsigned around = 2;
  CudaMsmTunedRow best;
  best.microseconds = ~0u;
  const auto machine = cuda.properties();
  const auto shape = Msm<G, Cuda>::shape();
  const auto windows_of = [&](unsigned c) { return (shape.scalar_bits + c) / c; };
  const unsigned about = Msm<G, Cuda>::plan(trial.n, 0, machine).window_bits;
  const unsigned most = share == 0 ? about + around : 24;
  CudaMsmPlan model = plan_cuda_msm_with(shape, trial.n, about, 1, machine);
  std::size_t least = ~std::size_t{0};
  for (unsigned c = 4; share != 0 && c <= most; ++c) {
    const auto plan =
        plan_cuda_msm_with(shape, trial.n, c, (windows_of(c) + share - 1) / share, machine);
    const std::size_t cost = cuda_msm_cost(plan, trial.n, plan.chunks());
    if (cost < least) least = cost, model = plan;
  }
  for (unsigned c = model.window_bits - std::min(model.window_bits - 4, around);
       c <= std::min(24u, model.window_bits + around); ++c) {
    const unsigned tables = share == 0 ? 1 : (windows_of(c) + share - 1) / share;
    auto plan = plan_cuda_msm_with(shape, trial.n, c, tables, machine);
    const std::size_t whole = plan.chunk_points;
    for (unsigned chunks : {1u, 2u}) {
      if (chunks > 1 && trial.log_n < 20) continue;
      plan.chunk_points = std::min(whole, (trial.n + chunks - 1) / chunks);
      const CudaMsmBases<G> bases(cuda, trial.queue, plan, trial.points.span());
      const auto row = trial.run(plan, bases);
      std::printf("tune: %u bytes a point, 2^%u, %u tables, c = %u, %u chunks: %u us\n",
                  row.affine_bytes, row.log_n, row.tables, row.window_bits, row.chunks,
                  row.microseconds);
      if (row.microseconds < best.microseconds) best = row;
    }
  }
  std::fflush(stdout);
  return best;
}

template <class G>
void tune_group(const Cuda& cuda, std::vector<CudaMsmTunedRow>& rows, unsigned last_log_n) {
  for (unsigned log_n = 14; log_n <= last_log_n; log_n += 2) {
    Trial<G> trial(cuda, log_n);
    for (unsigned share : {1u, 2u, 4u, 0u}) {  // all tables, half, a quarter, none
      rows.push_back(tune<G>(cuda, trial, share));
    }
  }
}

}  // namespace

void tune_rows(const Cuda& cuda, const std::string& path) {
  std::vector<CudaMsmTunedRow> rows;
  tune_group<Bls12_381::G1>(cuda, rows, 22);
  tune_group<Bls12_381::G2>(cuda, rows, 20);
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) throw IoError("bench: cannot write " + path);
  std::fprintf(
      file,
      "// SPDX-License-Identifier: Apache-2.0 OR MIT\n#pragma once\n\n"
      "#include <zkgpu/msm/cuda/tuned/row.hpp>\n\n"
      "/// Written by `tools/gpu-check tune`; see docs/performance/gpu-msm-operands.md.\n"
      "namespace zkgpu {\n\n"
      "inline constexpr CudaMsmTunedRow cuda_msm_tuned_rows[] = {\n"
      "    // %s; architecture, units, bytes of a point, log n, tables, window, chunks, us\n",
      cuda.info().name.c_str());
  for (const CudaMsmTunedRow& row : rows) {
    std::fprintf(file, "    {%u, %u, %u, %u, %u, %u, %u, %u},\n", row.architecture,
                 row.compute_units, row.affine_bytes, row.log_n, row.tables, row.window_bits,
                 row.chunks, row.microseconds);
  }
  std::fprintf(file, "};\n\n}  // namespace zkgpu\n");
  std::fclose(file);
}

}  // namespace zkgpu::bench
