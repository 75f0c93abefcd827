// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/command_env.hpp"
#include "session/progress_bar.hpp"

namespace zkgpu::cli {

using Json = nlohmann::ordered_json;

/// What every command takes.
struct CommonOptions {
  std::size_t threads = 0;  ///< 0: all cores
  bool verbose = false;
  bool json = false;
};

/// One run of the program: its environment, its progress bar, what it says.
///
/// Results go to standard output, everything else to standard error. With --json there is one
/// object on standard output and no bar; warnings and timings become part of the object.
class Session {
 public:
  explicit Session(const CommonOptions& options);
  ~Session();

  [[nodiscard]] CommandEnv& env() noexcept { return env_; }
  [[nodiscard]] ProgressBar& progress() noexcept { return progress_; }
  /// How many threads the work may use.
  [[nodiscard]] std::size_t threads() const;

  /// Is the result one JSON object?
  [[nodiscard]] bool json() const noexcept { return options_.json; }

  /// Runs one step of the command: names it in the bar, takes its time.
  template <class Step>
  decltype(auto) timed(std::string_view name, Step&& step) {
    const Timer timer(*this, name);
    return std::forward<Step>(step)();
  }
  /// A step that was timed elsewhere; with -v it is shown at once.
  /// @param depth  0, or how many steps it is part of: shown further to the right
  void add_timing(std::string_view name, double seconds, std::size_t depth = 0);

  /// A line on standard error, with -v only.
  void say(std::string_view line);
  /// `zkgpu: warning: ...` on standard error.
  void warn(std::string_view message);
  /// A warning that nobody should overlook: a frame around it.
  void warn_loudly(std::string_view message);

  /// The result of the command, once: `text` as it stands, or `object` with warnings and timings.
  /// @throws as `write_stdout`
  void finish(std::string_view text, Json object);

 private:
  class Timer {
   public:
    Timer(Session& session, std::string_view name);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    Session& session_;
    std::string name_;
    std::chrono::steady_clock::time_point start_;
  };
  struct ThreadLimit;

  CommonOptions options_;
  CommandEnv env_;
  ProgressBar progress_;
  std::unique_ptr<ThreadLimit> limit_;
  std::vector<std::pair<std::string, double>> timings_;
  std::vector<std::string> warnings_;
};

/// Writes to standard output and checks that it arrived.
/// @throws ResourceExhausted when its disk is full, IoError when it takes no more
void write_stdout(std::string_view text);

}  // namespace zkgpu::cli
