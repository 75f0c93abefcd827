// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/fake.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/prover/groth16/stages/device.hpp>
#include <zkgpu/prover/qap/fake.hpp>
#include <zkgpu/prover/witness/fake.hpp>

namespace zkgpu {

/// Proofs on a device that is not there: the CPU's sums and transforms behind a device's queues and
/// memory.
template <Curve C>
struct DeviceProofParts<C, FakeDevice> {
  using Tables = FakeQuotientTables<typename C::Fr>;

  static std::size_t quotient_workspace(unsigned, const DeviceProperties&) { return 0; }

  template <CurveGroup G>
  static QuerySizes sizes(std::size_t points, std::size_t most_bytes,
                          const DeviceProperties& machine) {
    return {tables(points * sizeof(typename G::Affine), most_bytes) * points *
                sizeof(typename G::Affine),
            Msm<G, Cpu<arch::scalar>>::plan(points, machine).workspace_bytes()};
  }
  /// How many multiples there is room for. Their memory is taken, as a device does; sums of the CPU
  /// read the points alone.
  static std::size_t tables(std::size_t bytes, std::size_t most_bytes) noexcept {
    return std::clamp<std::size_t>(bytes == 0 ? 1 : most_bytes / bytes, 1, 4);
  }

  class Uploads {
   public:
    explicit Uploads(const FakeDevice&) noexcept {}
    template <class T>
    void operator()(const FakeQueue& queue, std::span<const T> from, DeviceSpan<T> to) const {
      queue.upload(from, to);
      queue.wait();
    }
  };

  template <CurveGroup G>
  class Bases {
    using Host = Cpu<arch::scalar>;
    using Op = Msm<G, Host>;
    using Affine = typename G::Affine;
    using Jacobian = typename G::Jacobian;

   public:
    using Group = G;
    using Scalar = typename G::ScalarField::Integer;

    Bases(const FakeDevice& device, const FakeQueue& queue, std::span<const Affine> points,
          std::size_t most_bytes)
        : points_(device.template allocate<Affine>(points.size())),
          multiples_(device.template allocate<Affine>(
              (tables(points.size_bytes(), most_bytes) - 1) * points.size())),
          plan_(Op::plan(points.size(), device.properties())) {
      queue.upload(points, points_.span());
      queue.wait();
    }

    [[nodiscard]] std::size_t size() const noexcept { return points_.size(); }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept { return plan_.workspace_bytes(); }
    void enqueue(const FakeQueue& queue, DeviceSpan<const Scalar> scalars,
                 DeviceSpan<std::byte> workspace, DeviceSpan<Jacobian> result) const {
      queue.submit(
          "msm",
          [plan = plan_](std::span<const Scalar> k, std::span<const Affine> p,
                         std::span<std::byte> scratch, std::span<Jacobian> sum) {
            Host::Queue host = Host().make_queue();
            sum[0] = Jacobian::infinity();
            Op::enqueue(host, plan, k, p, scratch, sum[0]);
            host.wait();
          },
          scalars, points_.span(), workspace, result);
    }

   private:
    FakeBuffer<Affine> points_, multiples_;
    MsmPlan plan_;
  };
};

}  // namespace zkgpu
