// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/pipeline/lock_model/lease.hpp>

namespace zkgpu::pipeline {

/// So many units of something, lent in the order of ranks and then of arrival. Nobody overtakes a
/// large request by being small. Nobody waits in a thread: a grant is called when its turn comes.
class Tickets final : public LeaseOwner {
 public:
  explicit Tickets(std::size_t units) noexcept : units_(units) {}

  /// Calls `grant` at once, or from who gives units back.
  /// @throws ResourceExhausted for more units than there are
  void request(std::size_t units, const Rank& rank, Grant grant) {
    if (units > units_) {
      throw ResourceExhausted("lease: " + std::to_string(units) + " of " + std::to_string(units_) +
                              " wanted");
    }
    {
      const std::scoped_lock lock(mutex_);
      const bool is_next = waiting_.empty() || rank < waiting_.begin()->first.first;
      if (!is_next || units > units_ - lent_) {
        waiting_.emplace(Key{rank, ++arrivals_}, Waiting{units, {}}).first->second.grant =
            std::move(grant);
        return;
      }
      lent_ += units;
    }
    grant(Lease(*this, units, rank));
  }

  void give_back(std::size_t units) noexcept override {
    {
      const std::scoped_lock lock(mutex_);
      lent_ -= units;
    }
    while (serve()) {
    }
  }
  [[nodiscard]] bool is_wanted_above(const Rank& rank) const noexcept override {
    const std::scoped_lock lock(mutex_);
    return !waiting_.empty() && waiting_.begin()->first.first.numbers[0] < rank.numbers[0];
  }
  [[nodiscard]] std::size_t lent() const {
    const std::scoped_lock lock(mutex_);
    return lent_;
  }

 private:
  using Key = std::pair<Rank, std::uint64_t>;  // and the time of arrival: no two are equal
  struct Waiting {
    std::size_t units;
    Grant grant;
  };

  /// Grants the first in the line, if there is enough for it.
  bool serve() noexcept {
    Waiting next{0, {}};
    Rank rank;
    {
      const std::scoped_lock lock(mutex_);
      if (waiting_.empty() || waiting_.begin()->second.units > units_ - lent_) return false;
      rank = waiting_.begin()->first.first;
      next = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      lent_ += next.units;
    }
    next.grant(Lease(*this, next.units, rank));
    return true;
  }

  const std::size_t units_;
  mutable std::mutex mutex_;
  std::size_t lent_ = 0;
  std::uint64_t arrivals_ = 0;
  std::map<Key, Waiting> waiting_;
};

}  // namespace zkgpu::pipeline
