// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "session/progress_bar.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "session/process.hpp"

namespace zkgpu::cli {

namespace {

constexpr auto quiet_time = std::chrono::seconds(1);  // shorter work shows no bar
constexpr auto redraw_time = std::chrono::milliseconds(100);
constexpr std::string_view clear_text = "\r\033[K";

std::atomic<bool> bar_drawn{false};

void clear_drawn_bar() {
  if (!bar_drawn) return;
  [[maybe_unused]] const auto n = ::write(STDERR_FILENO, clear_text.data(), clear_text.size());
}

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

/// Units a second: measured once a tenth is done, guessed before.
double rate_of(const BarState& state) {
  const bool measured = state.done >= state.units / 10 && state.reported_seconds > 0;
  return measured ? static_cast<double>(state.done) / state.reported_seconds : state.expected_rate;
}

}  // namespace

double part_done(const BarState& state) {
  if (state.units == 0) return 0;
  const auto units = static_cast<double>(state.units);
  const double done = std::min(static_cast<double>(state.done), units);
  const double left = units - done;
  if (left == 0) return 1;
  const double since = std::max(0.0, state.elapsed_seconds - state.reported_seconds);
  const double now = done + left * (1 - std::exp(-rate_of(state) * since / left));
  return std::max(state.shown, now / units);
}

std::string render(const BarState& state, std::size_t columns) {
  std::string left = padded(state.task, 16);
  if (!state.step.empty()) left += "  " + padded(state.step, 10);
  std::string right = "  " + duration(state.elapsed_seconds);
  std::string bar;
  if (state.units != 0) {
    const double part = part_done(state);
    std::string percent = std::to_string(static_cast<int>(part * 100));
    percent.insert(0, 3 - std::min<std::size_t>(3, percent.size()), ' ');
    if (const double rate = rate_of(state); rate > 0) {
      right += ", " + duration((1 - part) * static_cast<double>(state.units) / rate) + " left";
    }
    right = "  " + percent + " %" + right;
    const std::size_t taken = left.size() + right.size() + 4;
    if (taken + 8 <= columns) {
      const std::size_t width = std::min<std::size_t>(40, columns - taken);
      const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
      bar = "  [" + std::string(full, '=') + (full < width ? ">" : "");
      bar = padded(bar, width + 3) + "]";
    }
  }
  std::string line = left + bar + right;
  if (line.size() > columns) line.resize(columns);
  return line;
}

bool ProgressBar::terminal_can_show() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::strcmp(term, "dumb") != 0;
}

ProgressBar::ProgressBar(bool visible) {
  if (!visible) return;
  on_signal_clear(clear_drawn_bar);
  thread_ = std::thread([this] { run(); });
}

ProgressBar::~ProgressBar() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stop_signal_.notify_all();
  thread_.join();
  on_signal_clear(nullptr);
}

void ProgressBar::begin(std::string_view task, std::uint64_t units) noexcept {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  if (task != state_.task) task_start_ = Clock::now();
  state_ = {.task = std::string(task), .step = {}, .units = units};
}

void ProgressBar::advance(std::uint64_t units) noexcept {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  state_.done += units;
  state_.reported_seconds = seconds_of_task();
}

void ProgressBar::expect_rate(double units_per_second) noexcept {
  const std::lock_guard lock(mutex_);
  state_.expected_rate = units_per_second;
}

double ProgressBar::seconds_of_task() const noexcept {
  return std::chrono::duration<double>(Clock::now() - task_start_).count();
}

void ProgressBar::step(std::string_view name) noexcept {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  state_.step = name;
}

void ProgressBar::print(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  clear();
  std::fwrite(lines.data(), 1, lines.size(), stderr);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (!bar_drawn) return;
  clear_drawn_bar();
  bar_drawn = false;
}

void ProgressBar::run() {
  std::unique_lock lock(mutex_);
  const auto stopped = [this] { return stop_; };
  bool waited = stop_signal_.wait_for(lock, quiet_time, stopped);
  while (!waited) {
    state_.elapsed_seconds = seconds_of_task();
    state_.shown = part_done(state_);
    const std::string text = std::string(clear_text) + render(state_, terminal_columns() - 1);
    bar_drawn = true;
    [[maybe_unused]] const auto n = ::write(STDERR_FILENO, text.data(), text.size());
    waited = stop_signal_.wait_for(lock, redraw_time, stopped);
  }
  clear();
}

}  // namespace zkgpu::cli
