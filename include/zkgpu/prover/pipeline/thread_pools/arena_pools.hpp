// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>

#include <zkgpu/prover/pipeline/schedule.hpp>
#include <zkgpu/prover/pipeline/task.hpp>

namespace zkgpu::pipeline {

class ArenaSet;  // src/pipeline: arenas of oneTBB that end together

/// What thread policies of several arenas have in common. All threads are workers of their own: the
/// thread that drains sleeps. While such a policy lives, oneTBB may start more threads than the
/// machine runs at once, unless a `global_control` of the user's says fewer.
class ArenaPools {
 public:
  /// Returns when all tasks of all arenas have ended. @throws the first failure
  void drain();

 protected:
  explicit ArenaPools(std::unique_ptr<ArenaSet> arenas) noexcept;
  ArenaPools(ArenaPools&&) noexcept;
  ArenaPools& operator=(ArenaPools&&) noexcept;
  ~ArenaPools();

  std::unique_ptr<ArenaSet> arenas_;
};

}  // namespace zkgpu::pipeline
