// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "session/session.hpp"

#include <fmt/core.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "cli/failure.hpp"

namespace zkgpu::cli {

struct Session::ThreadLimit {
  explicit ThreadLimit(std::size_t threads)
      : control(tbb::global_control::max_allowed_parallelism, threads) {}
  tbb::global_control control;
};

Session::Session(const CommonOptions& options)
    : options_(options), progress_(!options.json && ProgressBar::terminal_can_show()) {
  if (options_.threads != 0) limit_ = std::make_unique<ThreadLimit>(options_.threads);
}

Session::~Session() = default;

std::size_t Session::threads() const {
  // Pools of several arenas raise what oneTBB may start, but the machine runs no more at once.
  if (limit_ == nullptr) return static_cast<std::size_t>(tbb::info::default_concurrency());
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

Session::Timer::Timer(Session& session, std::string_view name)
    : session_(session), name_(name), start_(std::chrono::steady_clock::now()) {
  session_.progress_.begin(name, 0);
}

Session::Timer::~Timer() {
  const auto end = std::chrono::steady_clock::now();
  session_.add_timing(name_, std::chrono::duration<double>(end - start_).count());
}

void Session::add_timing(std::string_view name, double seconds, std::size_t depth) {
  timings_.emplace_back(name, seconds);
  say(fmt::format("{:<28} {:>9.3f} s", std::string(2 * depth, ' ').append(name), seconds));
}

void Session::say(std::string_view line) {
  if (!options_.verbose || options_.json) return;
  progress_.print(one_line(std::string(line)) + "\n");
}

void Session::warn(std::string_view message) {
  warnings_.emplace_back(message);
  if (options_.json) return;
  progress_.print("zkgpu: warning: " + one_line(std::string(message)) + "\n");
}

void Session::warn_loudly(std::string_view message) {
  warnings_.emplace_back(message);
  // Not even --json is a reason to be quiet about these.
  const std::string line = "WARNING: " + one_line(std::string(message));
  const std::string frame(std::min<std::size_t>(line.size(), 79), '!');
  progress_.print(frame + "\n" + line + "\n" + frame + "\n");
}

void Session::finish(std::string_view text, Json object) {
  if (!options_.json) {
    write_stdout(text);
    return;
  }
  if (!warnings_.empty()) object["warnings"] = warnings_;
  Json timings = Json::object();
  for (const auto& [name, seconds] : timings_) timings[name] = seconds;
  object["seconds"] = timings;
  write_stdout(object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void write_stdout(std::string_view text) {
  RealEnv env;
  write_all(env, STDOUT_FILENO, "standard output", std::as_bytes(std::span(text)));
}

}  // namespace zkgpu::cli
