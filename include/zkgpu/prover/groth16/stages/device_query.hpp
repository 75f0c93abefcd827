// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/prover/groth16/stages/device_parts.hpp>
#include <zkgpu/prover/groth16/stages/query_cache.hpp>

namespace zkgpu {

/// How the sum over a query comes to its points.
enum class QueryWay : std::uint8_t {
  absent,    ///< there is none on the device
  resident,  ///< they stay on the device, with multiples
  cached,    ///< they stay on the device while the budget has room; streamed where it has none
  loaded,    ///< they come before the sum and go after it
  streamed,  ///< they come while the sum runs
};

/// A query on a device: the way to its points, and the memory that this takes.
struct QueryPlan {
  QueryWay way = QueryWay::absent;
  std::size_t points = 0;
  std::size_t most_bytes = 0;     ///< for points and multiples
  std::size_t stream_bytes = 0;   ///< for the workspace of a sum whose points are streamed
  std::size_t key_bytes = 0;      ///< of the device, from sum to sum
  std::size_t scratch_bytes = 0;  ///< of a sum
};

/// @param times         of the points' bytes may be taken for them and their multiples
/// @param stream_bytes  most for the workspace of a streamed sum
/// @throws ResourceExhausted with the bytes wanted and free, if no streamed sum is that small
template <CurveGroup G, class Parts>
[[nodiscard]] QueryPlan plan_query(QueryWay way, std::size_t points, double times,
                                   std::size_t stream_bytes, const DeviceProperties& machine) {
  QueryPlan made;
  if (points == 0) way = QueryWay::absent;
  made.way = way;
  if (way == QueryWay::absent) return made;
  made.points = points;
  made.stream_bytes = stream_bytes;
  if (way == QueryWay::resident) {
    made.most_bytes =
        static_cast<std::size_t>(static_cast<double>(points * sizeof(typename G::Affine)) * times);
  }
  const std::size_t result = sizeof(typename G::Jacobian);
  if (way != QueryWay::streamed) {
    const QuerySizes sizes = Parts::template sizes<G>(points, made.most_bytes, machine);
    const std::size_t lent = Parts::template Bases<G>::lent_bytes(points);
    made.scratch_bytes = device_aligned(sizes.workspace) + result;
    if (way == QueryWay::resident) made.key_bytes = sizes.bases;
    if (way == QueryWay::cached) made.key_bytes = device_aligned(lent);
    if (way == QueryWay::loaded) made.scratch_bytes += device_aligned(lent);
  }
  if (way == QueryWay::streamed || way == QueryWay::cached) {
    const typename Parts::template Stream<G> stream(points, stream_bytes, machine);
    made.scratch_bytes =
        std::max(made.scratch_bytes, device_aligned(stream.workspace_bytes()) + result);
  }
  return made;
}

/// The points of one query of a key, and sums over them.
template <CurveGroup G, DeviceBackend B, class Parts>
class DeviceQuery {
  using Affine = typename G::Affine;
  using Jacobian = typename G::Jacobian;
  using Integer = typename G::ScalarField::Integer;
  using Bases = typename Parts::template Bases<G>;
  using Stream = typename Parts::template Stream<G>;

 public:
  /// What the queries of a key share.
  struct Services {
    const typename Parts::Uploads& uploads;
    const typename Parts::Feed& feed;
    QueryCache& cache;
  };

  /// @param points  must outlive this, unless they become resident
  DeviceQuery(B& backend, typename B::Queue& queue, std::span<const Affine> points,
              const QueryPlan& plan)
      : plan_(plan), points_(points.first(plan.points)) {
    if (plan.way == QueryWay::streamed || plan.way == QueryWay::cached) {
      stream_.emplace(plan.points, plan.stream_bytes, backend.properties());
    }
    if (plan.way != QueryWay::resident) return;
    const DrainOnFailure<B> drain(queue);  // what began to be made is made before it goes
    resident_.emplace(backend, queue, points_, plan.most_bytes);
    queue.wait();
  }

  [[nodiscard]] std::size_t size() const noexcept { return plan_.points; }

  /// Points that come for the sum are gone when it returns: then it has waited, also where the
  /// context defers.
  /// @param result  stays where it is until the work is done
  void sum(StageContext<B>& at, const Services& by, DeviceSpan<const Integer> scalars,
           Jacobian& result) const {
    result = Jacobian::infinity();
    if (plan_.way == QueryWay::resident) return sum_over(at, *resident_, scalars, result);
    StageContext<B> now{at.backend, at.queue, at.memory};
    sum_now(now, by, scalars, result);
  }

 private:
  struct Kept {
    typename B::template Buffer<std::byte> memory;
    Bases bases;
  };

  void sum_now(StageContext<B>& at, const Services& by, DeviceSpan<const Integer> scalars,
               Jacobian& result) const {
    switch (plan_.way) {
      case QueryWay::absent:
      case QueryWay::resident: return;
      case QueryWay::loaded: {
        const auto memory = at.template scratch<std::byte>(Bases::lent_bytes(size()));
        const DrainOnFailure<B> drain(at.queue);
        return sum_over(at, load(at, by, memory.span()), scalars, result);
      }
      case QueryWay::cached: {
        const auto kept = by.cache.template use<Kept>(points_.data(), plan_.key_bytes,
                                                      [&] { return keep(at, by); });
        if (kept != nullptr) return sum_over(at, kept->bases, scalars, result);
        return sum_streamed(at, by, scalars, result);
      }
      case QueryWay::streamed: return sum_streamed(at, by, scalars, result);
    }
  }

  Bases load(StageContext<B>& at, const Services& by, DeviceSpan<std::byte> memory) const {
    const DrainOnFailure<B> drain(at.queue);
    Bases bases(at.backend, size(), memory);
    by.uploads(at.queue, points_, bases.points());
    bases.complete(at.queue);
    at.queue.wait();
    return bases;
  }
  std::shared_ptr<const Kept> keep(StageContext<B>& at, const Services& by) const {
    auto memory = at.backend.template allocate<std::byte>(Bases::lent_bytes(size()));
    Bases bases = load(at, by, memory.span());
    return std::make_shared<Kept>(Kept{std::move(memory), std::move(bases)});
  }

  void sum_over(StageContext<B>& at, const Bases& bases, DeviceSpan<const Integer> scalars,
                Jacobian& result) const {
    run(at, bases.workspace_bytes(), result,
        [&](DeviceSpan<std::byte> workspace, DeviceSpan<Jacobian> on_device) {
          bases.enqueue(at.queue, scalars, workspace, on_device);
        });
  }
  void sum_streamed(StageContext<B>& at, const Services& by, DeviceSpan<const Integer> scalars,
                    Jacobian& result) const {
    run(at, stream_->workspace_bytes(), result,
        [&](DeviceSpan<std::byte> workspace, DeviceSpan<Jacobian> on_device) {
          stream_->enqueue(by.feed, at.queue, points_, scalars, workspace, on_device);
        });
  }
  /// @param enqueue  enqueue(workspace, result); the result stands behind the workspace
  template <class Enqueue>
  static void run(StageContext<B>& at, std::size_t workspace_bytes, Jacobian& result,
                  const Enqueue& enqueue) {
    const std::size_t place = device_aligned(workspace_bytes);
    const auto memory = at.template scratch<std::byte>(place + sizeof(Jacobian));
    const DrainOnFailure<B> drain(at.queue);
    const DeviceSpan<Jacobian> on_device(reinterpret_cast<Jacobian*>(memory.span().data() + place),
                                         1);
    enqueue(memory.span().first(place), on_device);
    at.queue.download(DeviceSpan<const Jacobian>(on_device), std::span<Jacobian>(&result, 1));
    at.finish();
  }

  QueryPlan plan_;
  std::span<const Affine> points_;
  std::optional<Bases> resident_;
  std::optional<Stream> stream_;
};

}  // namespace zkgpu
