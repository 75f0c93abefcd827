// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <span>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/ntt/cuda.hpp>
#include <zkgpu/prover/groth16/stages/device.hpp>
#include <zkgpu/prover/qap/cuda.hpp>
#include <zkgpu/prover/witness/cuda.hpp>

namespace zkgpu {

template <Curve C>
struct DeviceProofParts<C, Cuda> {
  using F = typename C::Fr;
  using Tables = CudaQuotientTables<F>;

  static std::size_t quotient_workspace(unsigned log_n, const DeviceProperties& machine) {
    const CudaNttPlan plan = Ntt<F, Cuda>::plan_coset(log_n, machine);
    return plan.passes == 0 ? plan.workspace_bytes() : 0;  // only small transforms take one
  }

  template <CurveGroup G>
  static QuerySizes sizes(std::size_t points, std::size_t most_bytes,
                          const DeviceProperties& machine) {
    const CudaMsmPlan plan = Msm<G, Cuda>::plan(points, most_bytes, machine);
    return {plan.table_bytes() + plan.n, plan.workspace_bytes()};
  }

  /// Pageable memory goes through a ring of pinned pieces, filled by several threads.
  class Uploads {
   public:
    explicit Uploads(const Cuda& cuda) : feed_(cuda) {}
    template <class T>
    void operator()(const CudaQueue& queue, std::span<const T> from, DeviceSpan<T> to) const {
      const std::scoped_lock one_at_a_time(mutex_);  // they share the bus in any case
      feed_.run(
          queue, 1, [&](std::size_t) { feed_.copy(CudaSource<T>(from), to); }, [](std::size_t) {});
      queue.wait();
      feed_.wipe();
    }

   private:
    CudaFeed feed_;
    mutable std::mutex mutex_;
  };

  template <CurveGroup G>
  class Bases {
   public:
    using Group = G;
    using Scalar = typename Msm<G, Cuda>::Scalar;

    Bases(const Cuda& cuda, const CudaQueue& queue, std::span<const typename G::Affine> points,
          std::size_t most_bytes)
        : bases_(cuda, queue, Msm<G, Cuda>::plan(points.size(), most_bytes, cuda.properties()),
                 points) {}

    [[nodiscard]] std::size_t size() const noexcept { return bases_.plan().n; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept {
      return bases_.plan().workspace_bytes();
    }
    void enqueue(const CudaQueue& queue, DeviceSpan<const Scalar> scalars,
                 DeviceSpan<std::byte> workspace, DeviceSpan<typename G::Jacobian> result) const {
      Msm<G, Cuda>::enqueue(queue, bases_.plan(), scalars, bases_, workspace, result);
    }

   private:
    CudaMsmBases<G> bases_;
  };
};

}  // namespace zkgpu
