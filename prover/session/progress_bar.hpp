// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <zkgpu/core/progress.hpp>

namespace zkgpu::cli {

/// How far one task has come: what the bar shows.
struct BarState {
  std::string task;
  std::string step;             ///< may be empty
  std::uint64_t units = 0;      ///< 0: nobody knows
  std::uint64_t done = 0;       ///< as far as reported
  double elapsed_seconds = 0;   ///< of this task
  double reported_seconds = 0;  ///< of that, when `done` was last reported
  double expected_rate = 0;     ///< units a second, before a tenth is done; 0: nobody knows
  double shown = 0;             ///< the part that was shown last: a bar never goes back
};

/// How much of the work is done, from 0 to 1. Between two reports it goes on at the rate so far,
/// ever slower towards the end: long steps report late. Pure.
[[nodiscard]] double part_done(const BarState& state);

/// The bar as text, at most `columns` wide:
/// `proving   msm_h   [=========>          ]  47 %  12 s, 14 s left`. Pure.
[[nodiscard]] std::string render(const BarState& state, std::size_t columns);

/// Draws the progress of long work on standard error, when that is a terminal.
///
/// A thread redraws a line ten times a second, from one second after the start on; until then, and
/// where there is no terminal, nothing is written. The destructor takes the line away.
class ProgressBar final : public ProgressObserver {
 public:
  /// @param visible  false: observe and draw nothing
  explicit ProgressBar(bool visible);
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void begin(std::string_view task, std::uint64_t units) noexcept override;
  void advance(std::uint64_t units) noexcept override;
  void step(std::string_view name) noexcept override;

  /// A first guess of how fast the task goes, for what is left of it until a tenth is done.
  void expect_rate(double units_per_second) noexcept;

  /// Writes whole lines to standard error without tearing the bar.
  void print(std::string_view lines);

  /// Whether standard error is a terminal that understands "clear the line".
  [[nodiscard]] static bool terminal_can_show();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double seconds_of_task() const noexcept;
  void run();
  void clear();

  std::mutex mutex_;
  std::condition_variable stop_signal_;
  bool stop_ = false;
  BarState state_;
  Clock::time_point task_start_ = Clock::now();
  std::thread thread_;
};

}  // namespace zkgpu::cli
