// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/streamed/streamed_msm.hpp>
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

  class Uploads {
   public:
    Uploads(const Cuda& cuda, UploadWay way) : cuda_(cuda), way_(way) {
      if (way == UploadWay::pinned_ring) ring_.emplace(cuda);
    }
    template <class T>
    void operator()(const CudaQueue& queue, std::span<const T> from, DeviceSpan<T> to) const {
      switch (way_) {
        case UploadWay::pageable: {
          const DrainOnFailure<Cuda> drain(queue);
          queue.upload(from, to);
          return queue.wait();
        }
        case UploadWay::registered: return upload_registered(cuda_, queue, from, to);
        case UploadWay::pinned_ring: return through_ring(queue, from, to);
      }
    }

   private:
    template <class T>
    void through_ring(const CudaQueue& queue, std::span<const T> from, DeviceSpan<T> to) const {
      const std::scoped_lock one_at_a_time(mutex_);  // they share the bus in any case
      const Wiped wiped{*ring_};
      ring_->run(
          queue, 1, [&](std::size_t) { ring_->copy(CudaSource<T>(from), to); }, [](std::size_t) {});
      queue.wait();
    }
    /// What went through the ring is secret, whether or not it arrived.
    struct Wiped {
      const CudaFeed& ring;
      ~Wiped() { ring.wipe(); }
    };

    Cuda cuda_;
    UploadWay way_;
    std::optional<CudaFeed> ring_;  ///< filled by several threads
    mutable std::mutex mutex_;
  };

  /// Points of the key on their way to a sum; what is pinned for them is taken on first use.
  class Feed {
   public:
    explicit Feed(const Cuda& cuda) : cuda_(cuda) {}
    /// f(feed), one at a time: they share the bus in any case.
    template <class Function>
    void lend(const Function& f) const {
      const std::scoped_lock one_at_a_time(mutex_);
      if (!feed_) feed_.emplace(cuda_);
      f(*feed_);
    }

   private:
    Cuda cuda_;
    mutable std::mutex mutex_;
    mutable std::optional<CudaFeed> feed_;
  };

  template <CurveGroup G>
  class Bases {
    using Op = Msm<G, Cuda>;
    using Affine = typename G::Affine;

   public:
    using Group = G;
    using Scalar = typename Op::Scalar;

    Bases(const Cuda& cuda, const CudaQueue& queue, std::span<const Affine> points,
          std::size_t most_bytes)
        : bases_(cuda, queue, Op::plan(points.size(), most_bytes, cuda.properties()), points) {}
    /// The points, and behind them a byte each.
    Bases(const Cuda& cuda, std::size_t points, DeviceSpan<std::byte> memory)
        : bases_(Op::plan(points, cuda.properties()),
                 CudaBuffer<Affine>(lent_memory(memory), points),
                 CudaBuffer<std::uint8_t>(
                     lent_memory(memory.subspan(place_of_bytes(points), points)), points)),
          points_(reinterpret_cast<Affine*>(memory.data()), points) {}

    static std::size_t lent_bytes(std::size_t points) noexcept {
      return place_of_bytes(points) + points;
    }
    [[nodiscard]] DeviceSpan<Affine> points() const noexcept { return points_; }
    void complete(const CudaQueue& queue) { bases_.complete(queue); }

    [[nodiscard]] std::size_t size() const noexcept { return bases_.plan().n; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept {
      return bases_.plan().workspace_bytes();
    }
    void enqueue(const CudaQueue& queue, DeviceSpan<const Scalar> scalars,
                 DeviceSpan<std::byte> workspace, DeviceSpan<typename G::Jacobian> result) const {
      Op::enqueue(queue, bases_.plan(), scalars, bases_, workspace, result);
    }

   private:
    static std::size_t place_of_bytes(std::size_t points) noexcept {
      return device_aligned(points * sizeof(Affine));
    }

    CudaMsmBases<G> bases_;
    DeviceSpan<Affine> points_;  ///< lent
  };

  template <CurveGroup G>
  class Stream {
    using Op = StreamedMsm<G>;

   public:
    Stream(std::size_t points, std::size_t most_bytes, const DeviceProperties& machine)
        : plan_(Op::plan(points, most_bytes, machine)) {}
    [[nodiscard]] std::size_t workspace_bytes() const noexcept { return plan_.workspace_bytes(); }
    /// What the feed is to copy is copied or enqueued when this returns.
    void enqueue(const Feed& feed, const CudaQueue& queue,
                 std::span<const typename G::Affine> points,
                 DeviceSpan<const typename Op::Scalar> scalars, DeviceSpan<std::byte> workspace,
                 DeviceSpan<typename G::Jacobian> result) const {
      feed.lend([&](const CudaFeed& lent) {
        Op::enqueue(queue, lent, plan_, scalars, points, workspace, result);
      });
    }

   private:
    CudaMsmStreamPlan plan_;
  };
};

}  // namespace zkgpu
