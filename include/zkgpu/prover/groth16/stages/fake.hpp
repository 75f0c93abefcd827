// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <span>
#include <string>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/fake.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
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
    Uploads(const FakeDevice& device, UploadWay way) : device_(device), way_(way) {
      if (way == UploadWay::pinned_ring) piece_ = device.allocate_pinned<std::byte>(piece_bytes);
    }
    template <class T>
    void operator()(const FakeQueue& queue, std::span<const T> from, DeviceSpan<T> to) const {
      switch (way_) {
        case UploadWay::pageable: {
          const DrainOnFailure<FakeDevice> drain(queue);
          queue.upload(from, to);
          return queue.wait();
        }
        case UploadWay::registered: return upload_registered(device_, queue, from, to);
        case UploadWay::pinned_ring:
          return through_piece(
              queue, std::as_bytes(from),
              DeviceSpan<std::byte>(reinterpret_cast<std::byte*>(to.data()), to.size_bytes()));
      }
    }

   private:
    /// A ring of one piece: the copies are the same, and they are the slower ones.
    static constexpr std::size_t piece_bytes = 8192;  // several pieces already in small tests

    void through_piece(const FakeQueue& queue, std::span<const std::byte> from,
                       DeviceSpan<std::byte> to) const {
      if (from.size() != to.size()) throw InvalidArgument("upload: sizes differ");
      const std::scoped_lock one_at_a_time(mutex_);
      const Wiped wiped{piece_.span()};
      for (std::size_t at = 0; at < from.size(); at += piece_bytes) {
        const std::size_t n = std::min(piece_bytes, from.size() - at);
        std::memcpy(piece_.span().data(), from.data() + at, n);
        queue.upload(std::span<const std::byte>(piece_.span().first(n)), to.subspan(at, n));
        queue.wait();
      }
    }
    struct Wiped {
      std::span<std::byte> memory;
      ~Wiped() { secure_wipe(static_cast<void*>(memory.data()), memory.size()); }
    };

    FakeDevice device_;
    UploadWay way_;
    PinnedBuffer<std::byte> piece_;
    mutable std::mutex mutex_;
  };

  class Feed {
   public:
    explicit Feed(const FakeDevice&) noexcept {}
  };

  /// Enqueues sum = Σ k·p, or adds to it.
  template <CurveGroup G>
  static void enqueue_sum(const FakeQueue& queue, const MsmPlan& plan, bool first,
                          DeviceSpan<const typename G::ScalarField::Integer> scalars,
                          DeviceSpan<const typename G::Affine> points,
                          DeviceSpan<std::byte> workspace,
                          DeviceSpan<typename G::Jacobian> result) {
    using Host = Cpu<arch::scalar>;
    using Op = Msm<G, Host>;
    queue.submit(
        "msm",
        [plan, first](std::span<const typename Op::Scalar> k, std::span<const typename G::Affine> p,
                      std::span<std::byte> scratch, std::span<typename G::Jacobian> sum) {
          Host::Queue host = Host().make_queue();
          typename G::Jacobian made = G::Jacobian::infinity();
          Op::enqueue(host, plan, k, p, scratch, made);
          host.wait();
          sum[0] = first ? made : sum[0] + made;
        },
        scalars, points, workspace, result);
  }

  template <CurveGroup G>
  class Bases {
    using Op = Msm<G, Cpu<arch::scalar>>;
    using Affine = typename G::Affine;

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
    Bases(const FakeDevice& device, std::size_t points, DeviceSpan<std::byte> memory)
        : points_(lent_memory(memory), points), plan_(Op::plan(points, device.properties())) {}

    static std::size_t lent_bytes(std::size_t points) noexcept { return points * sizeof(Affine); }
    [[nodiscard]] DeviceSpan<Affine> points() noexcept { return points_.span(); }
    void complete(const FakeQueue&) const noexcept {}

    [[nodiscard]] std::size_t size() const noexcept { return points_.size(); }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept { return plan_.workspace_bytes(); }
    void enqueue(const FakeQueue& queue, DeviceSpan<const Scalar> scalars,
                 DeviceSpan<std::byte> workspace, DeviceSpan<typename G::Jacobian> result) const {
      enqueue_sum<G>(queue, plan_, true, scalars, points_.span(), workspace, result);
    }

   private:
    FakeBuffer<Affine> points_, multiples_;
    MsmPlan plan_;
  };

  /// Chunk after chunk through one slot, which stands before the workspace of their sums.
  template <CurveGroup G>
  class Stream {
    using Op = Msm<G, Cpu<arch::scalar>>;
    using Affine = typename G::Affine;

   public:
    Stream(std::size_t points, std::size_t most_bytes, const DeviceProperties& machine)
        : machine_(machine), points_(points), chunk_((points + 3) / 4) {
      while (workspace_bytes() > most_bytes) {
        if (chunk_ == 1) {
          throw ResourceExhausted("fake: a streamed sum takes at least " +
                                  std::to_string(workspace_bytes()) + " bytes, " +
                                  std::to_string(most_bytes) + " are free");
        }
        chunk_ = (chunk_ + 1) / 2;
      }
    }
    [[nodiscard]] std::size_t workspace_bytes() const {
      return slot_bytes() +
             std::max(plan(chunk_).workspace_bytes(), plan(points_ % chunk_).workspace_bytes());
    }
    void enqueue(const Feed&, const FakeQueue& queue, std::span<const Affine> points,
                 DeviceSpan<const typename Op::Scalar> scalars, DeviceSpan<std::byte> workspace,
                 DeviceSpan<typename G::Jacobian> result) const {
      for (std::size_t at = 0; at < points_; at += chunk_) {
        const std::size_t n = std::min(chunk_, points_ - at);
        const DeviceSpan<Affine> slot(reinterpret_cast<Affine*>(workspace.data()), n);
        queue.upload(points.subspan(at, n), slot);
        enqueue_sum<G>(queue, plan(n), at == 0, scalars.subspan(at, n), slot,
                       workspace.subspan(slot_bytes(), workspace.size() - slot_bytes()), result);
      }
    }

   private:
    [[nodiscard]] std::size_t slot_bytes() const noexcept {
      return device_aligned(chunk_ * sizeof(Affine));
    }
    [[nodiscard]] MsmPlan plan(std::size_t n) const { return Op::plan(n, machine_); }

    DeviceProperties machine_;
    std::size_t points_, chunk_;
  };
};

}  // namespace zkgpu
