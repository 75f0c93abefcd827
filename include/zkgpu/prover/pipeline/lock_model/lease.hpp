// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <zkgpu/prover/pipeline/graph.hpp>

namespace zkgpu::pipeline {

/// Who goes first where several proofs want the same thing.
enum class Priority : std::uint8_t { low, normal, high };

/// A place in every line that a proof stands in: numbers compared one after another, the least
/// first. Whoever has equal numbers comes in order of arrival. The first one is the urgency.
struct Rank {
  std::array<std::uint64_t, 3> numbers{};

  static constexpr std::uint64_t urgency(Priority priority) noexcept {
    return static_cast<std::uint64_t>(Priority::high) - static_cast<std::uint64_t>(priority);
  }
  static constexpr Rank of(Priority priority, std::uint64_t second = 0, std::uint64_t third = 0) {
    return Rank{{urgency(priority), second, third}};
  }
  friend constexpr bool operator==(const Rank&, const Rank&) = default;
  friend constexpr auto operator<=>(const Rank&, const Rank&) = default;
};

/// What is asked of a lock model: a place on the device for a proof, from its upload on, or the
/// device itself for one step of it.
struct LeaseRequest {
  enum class Scope : std::uint8_t { proof, step };

  Scope scope = Scope::step;
  Rank rank = Rank::of(Priority::normal);
  StageId stage = StageId::upload;  ///< of a step
  std::size_t bytes = 0;            ///< scratch memory of the proof, or of the step
};

/// Who gives leases and takes them back.
class LeaseOwner {
 public:
  LeaseOwner() = default;
  LeaseOwner(const LeaseOwner&) = delete;
  LeaseOwner& operator=(const LeaseOwner&) = delete;

  /// May grant other requests, in this thread.
  virtual void give_back(std::size_t units) noexcept = 0;
  /// Does somebody of a higher priority than this one's wait?
  [[nodiscard]] virtual bool is_wanted_above(const Rank& rank) const noexcept = 0;

 protected:
  ~LeaseOwner() = default;
};

/// What was asked for, until this dies. Moves only.
class Lease {
 public:
  Lease() = default;  ///< of nothing
  Lease(LeaseOwner& owner, std::size_t units, const Rank& rank) noexcept
      : owner_(&owner), units_(units), rank_(rank) {}
  Lease(Lease&& other) noexcept
      : owner_(std::exchange(other.owner_, nullptr)), units_(other.units_), rank_(other.rank_) {}
  Lease& operator=(Lease&& other) noexcept {
    Lease taken(std::move(other));
    std::swap(owner_, taken.owner_);
    std::swap(units_, taken.units_);
    std::swap(rank_, taken.rank_);
    return *this;
  }
  ~Lease() {
    if (owner_ != nullptr) owner_->give_back(units_);
  }

  /// Does somebody more urgent wait for it? Asked between steps, never inside one.
  [[nodiscard]] bool should_yield() const noexcept {
    return owner_ != nullptr && owner_->is_wanted_above(rank_);
  }

 private:
  LeaseOwner* owner_ = nullptr;
  std::size_t units_ = 0;
  Rank rank_;
};

/// What happens when a lease is granted; must not throw.
class Grant {
 public:
  Grant() = default;
  template <class Function>
  requires std::is_nothrow_invocable_v<Function&, Lease> Grant(Function function)  // NOLINT
      : body_(std::make_unique<Body<Function>>(std::move(function))) {}

  void operator()(Lease lease) noexcept { body_->run(std::move(lease)); }

 private:
  struct Runnable {
    Runnable() = default;
    Runnable(const Runnable&) = delete;
    Runnable& operator=(const Runnable&) = delete;
    virtual ~Runnable() = default;
    virtual void run(Lease lease) noexcept = 0;
  };
  template <class Function>
  struct Body final : Runnable {
    explicit Body(Function function_) : function(std::move(function_)) {}
    void run(Lease lease) noexcept override { function(std::move(lease)); }
    Function function;
  };
  std::unique_ptr<Runnable> body_;
};

}  // namespace zkgpu::pipeline
