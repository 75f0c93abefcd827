// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace zkgpu {

/// Who wants to know how far a long piece of work has come: a progress bar, a log, a test.
///
/// Work that takes an observer takes a pointer, and null means that nobody wants to know. The calls
/// come from any thread, are cheap enough for one every few thousand field operations, never throw,
/// and change no result.
class ProgressObserver {
 public:
  virtual ~ProgressObserver() = default;

  /// A piece of work begins, and the one before has ended.
  /// @param task   what is done, in words ("reading the key"); outlives the call only as a copy
  /// @param units  how much work it is, in units of its own; 0 when nobody knows
  virtual void begin(std::string_view task, std::uint64_t units) noexcept = 0;

  /// So many units more are done.
  virtual void advance(std::uint64_t units) noexcept = 0;

  /// The step that the work has come to ("msm_h"), for who wants to show it. Steps may overlap.
  virtual void step(std::string_view name) noexcept = 0;
};

}  // namespace zkgpu
