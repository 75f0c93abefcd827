// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include <zkgpu/prover/pipeline/lock_model/lease.hpp>

namespace zkgpu::pipeline {

/// Open to all unless somebody holds it closed; then those who ask wait, in the order of ranks.
class Gate final : public LeaseOwner {
 public:
  /// Calls `grant` at once, or from the last of those who held the gate closed.
  void request(const Rank& rank, Grant grant) {
    {
      const std::scoped_lock lock(mutex_);
      if (closed_ != 0) {
        waiting_[{rank, ++arrivals_}] = std::move(grant);
        return;
      }
    }
    grant(Lease());
  }
  /// Closed until the lease dies; who is inside already is not stopped.
  [[nodiscard]] Lease close() noexcept {
    const std::scoped_lock lock(mutex_);
    ++closed_;
    return Lease(*this, 1, Rank{});
  }

  void give_back(std::size_t) noexcept override {
    std::map<Key, Grant> served;
    {
      const std::scoped_lock lock(mutex_);
      if (--closed_ == 0) served.swap(waiting_);
    }
    for (auto& [key, grant] : served) grant(Lease());
  }
  [[nodiscard]] bool is_wanted_above(const Rank& rank) const noexcept override {
    const std::scoped_lock lock(mutex_);
    return !waiting_.empty() && waiting_.begin()->first.first.numbers[0] < rank.numbers[0];
  }

 private:
  using Key = std::pair<Rank, std::uint64_t>;
  mutable std::mutex mutex_;
  std::size_t closed_ = 0;
  std::uint64_t arrivals_ = 0;
  std::map<Key, Grant> waiting_;
};

}  // namespace zkgpu::pipeline
