// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/groth16/stages/device_query.hpp>
#include <zkgpu/prover/groth16/stages/key_use.hpp>
#include <zkgpu/prover/groth16/stages/prepared_key.hpp>

namespace zkgpu {

/// Where the queries of a key go, and the memory of the device that they take.
struct KeyLayout {
  QueryPlan h, l, a, b_g1, b_g2;
  std::size_t budget_bytes = 0;  ///< for queries that come, serve several sums, and go
  std::size_t most_uses = static_cast<std::size_t>(-1);  ///< of one that came, before it goes
  std::size_t key_bytes = 0;                             ///< of what stays, and of the budget
  StageBytes stages;
};

/// Chooses a KeyLayout within the free memory of a device.
template <Curve C, DeviceBackend B, class Parts>
class KeyPlanner {
  using G1 = typename C::G1;
  using G2 = typename C::G2;

 public:
  KeyPlanner(const B& backend, const PreparedProvingKey<C>& prepared, const KeyUse& use)
      : key_(prepared.key),
        log_n_(prepared.domain.log_n),
        use_(use),
        machine_(backend.properties()) {
    backend.trim();
    free_ = backend.free_bytes();
  }

  /// As many points where `use` wants them, then the most multiples and the widest streams, beside
  /// which all proofs in flight have their scratch memory.
  /// @throws ResourceExhausted with the bytes wanted and free, if there is no room
  [[nodiscard]] KeyLayout choose() const {
    Limits limits;
    limits.stream_bytes = free_;
    limits.budget_bytes = use_.key_bytes != 0 ? use_.key_bytes : free_ / 2;
    if (use_.sharers > 1) limits.shared_bytes = free_ / 2;
    widen(limits);
    KeyLayout made = layout(limits);
    for (;;) {
      const std::size_t wanted = made.key_bytes + use_.scratch->bytes(made.stages);
      if (wanted <= free_) return made;
      // Who asks for multiples gets them, and hears of proofs that do not fit beside them.
      if (use_.table_bytes != 0 && !streams(made) && made.key_bytes <= free_) return made;
      const auto next = narrowed(limits, made);
      if (!next) {
        throw ResourceExhausted("prover: the key's points and the proofs in flight take " +
                                std::to_string(wanted) + " bytes of the device, " +
                                std::to_string(free_) + " are free");
      }
      made = *next;
    }
  }

 private:
  struct Limits {
    double times = 1;  ///< of the bytes of points that stay, for them and their multiples
    std::size_t stream_bytes = 0;  ///< for the workspace of a streamed sum
    std::size_t budget_bytes = 0;
    std::size_t shared_bytes = 0;  ///< for queries that several proofs share
  };

  [[nodiscard]] bool budgeted() const noexcept {
    return use_.key == KeyPlace::budgeted_lru || use_.key == KeyPlace::split_resident;
  }
  static bool streams(const KeyLayout& layout) noexcept {
    for (const QueryPlan* query : {&layout.h, &layout.l, &layout.a, &layout.b_g1, &layout.b_g2}) {
      if (query->way == QueryWay::streamed || query->way == QueryWay::cached) return true;
    }
    return false;
  }

  /// For multiples, half of what is free, or what was asked for.
  void widen(Limits& limits) const {
    const std::size_t points = layout(limits).key_bytes;
    if (points == 0 || use_.key == KeyPlace::budgeted_lru) return;
    std::size_t most = use_.table_bytes != 0 ? use_.table_bytes : free_ / 2;
    if (budgeted()) most = std::min(most, limits.budget_bytes);
    limits.times = std::max(1.0, static_cast<double>(most) / static_cast<double>(points));
  }
  /// What takes less: fewer multiples, then narrower streams, then less room for what is shared,
  /// then a smaller budget, if that was not given. Nothing if there is none.
  [[nodiscard]] std::optional<KeyLayout> narrowed(Limits& limits, const KeyLayout& last) const {
    if (limits.times > 1) {
      limits.times = std::max(1.0, limits.times / 2);
      return layout(limits);
    }
    if (streams(last) && limits.stream_bytes > 1) {
      limits.stream_bytes /= 2;
      try {
        return layout(limits);
      } catch (const ResourceExhausted&) {  // no sum is that narrow
        limits.stream_bytes = 2 * limits.stream_bytes + 1;
      }
    }
    const bool given = !budgeted() || use_.key_bytes != 0;
    std::size_t& smaller =
        limits.shared_bytes != 0 || given ? limits.shared_bytes : limits.budget_bytes;
    if (smaller == 0) return std::nullopt;
    constexpr std::size_t least = 4096;
    smaller = smaller > least ? smaller / 2 : 0;
    limits.stream_bytes = free_;
    return layout(limits);
  }

  /// @throws ResourceExhausted if no streamed sum is as narrow as the limits
  [[nodiscard]] KeyLayout layout(const Limits& limits) const {
    KeyLayout made;
    std::size_t left = limits.budget_bytes;  // without multiples
    std::size_t cached = 0;
    const auto plan = [&]<CurveGroup G>(std::size_t points) {
      const QueryWay way = this->template way<G>(points, left, limits.shared_bytes);
      QueryPlan query =
          plan_query<G, Parts>(way, points, limits.times, limits.stream_bytes, machine_);
      if (query.way == QueryWay::cached) {
        cached += query.key_bytes;
      } else {
        made.key_bytes += query.key_bytes;
      }
      return query;
    };
    // In the order of what a byte on the device is worth: scalars of h are of full size, and its
    // sum is what a proof waits for; those of b in G2 work longest, which hides the way of the
    // points.
    made.h = plan.template operator()<G1>(key_.h.size());
    made.l = plan.template operator()<G1>(key_.l.size());
    made.a = plan.template operator()<G1>(key_.a.size());
    made.b_g1 = plan.template operator()<G1>(use_.b_g1 ? key_.b_g1.size() : 0);
    made.b_g2 =
        plan.template operator()<G2>(use_.b_g2 == StagePlace::device ? key_.b_g2.size() : 0);
    const bool lru = use_.key == KeyPlace::budgeted_lru;
    made.budget_bytes = std::min(lru ? limits.budget_bytes : limits.shared_bytes, cached);
    made.key_bytes += made.budget_bytes;
    if (!lru) made.most_uses = use_.sharers;
    made.stages.h = made.h.scratch_bytes;
    made.stages.l = made.l.scratch_bytes;
    made.stages.a = made.a.scratch_bytes;
    made.stages.b_g1 = made.b_g1.scratch_bytes;
    made.stages.b_g2 = made.b_g2.scratch_bytes;
    made.stages.upload = sizeof(std::uint64_t);
    made.stages.witness = key_.num_wires * sizeof(typename C::Fr::Integer);
    made.stages.quotient = Parts::quotient_workspace(log_n_, machine_);
    return made;
  }

  /// @param left    of the budget; what becomes resident takes of it
  /// @param shared  room for what is brought for several proofs
  template <CurveGroup G>
  [[nodiscard]] QueryWay way(std::size_t points, std::size_t& left, std::size_t shared) const {
    const std::size_t lent = device_aligned(Parts::template Bases<G>::lent_bytes(points));
    const auto brought = [&](QueryWay alone) {
      if (use_.sharers < 2) return alone;
      return lent <= shared ? QueryWay::cached : QueryWay::streamed;
    };
    switch (use_.key) {
      case KeyPlace::load_per_proof: return brought(QueryWay::loaded);
      case KeyPlace::resident_host: return brought(QueryWay::streamed);
      case KeyPlace::resident_device: return QueryWay::resident;
      case KeyPlace::budgeted_lru: return lent <= left ? QueryWay::cached : QueryWay::streamed;
      case KeyPlace::split_resident: {
        const std::size_t bytes = Parts::template sizes<G>(points, 0, machine_).bases;
        if (points == 0 || bytes > left) return brought(QueryWay::streamed);
        left -= bytes;
        return QueryWay::resident;
      }
    }
    return QueryWay::resident;
  }

  const ProvingKey<C>& key_;
  unsigned log_n_;
  KeyUse use_;
  DeviceProperties machine_;
  std::size_t free_ = 0;
};

}  // namespace zkgpu
