// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "perf/sanitized.hpp"

/// Runs the built program `zkgpu` as a child process and looks at what it did.
namespace zkgpu::test {

/// What a run is allowed, and what its standard streams are.
struct RunOptions {
  rlim_t address_space_bytes =
      RLIM_INFINITY;                       ///< ignored in sanitizer builds, which reserve terabytes
  rlim_t file_size_bytes = RLIM_INFINITY;  ///< a write beyond it fails, as on a full disk
  bool terminal = false;                   ///< standard error is a terminal of 100 columns
  int minutes = 1;                       ///< then it is killed; five times as long with sanitizers
  std::string stdout_path;               ///< standard output goes there, if set
  std::vector<std::string> environment;  ///< NAME=value, beside ours
  int signal_number = 0;                 ///< sent once, as soon as one of the next two says so
  std::string signal_on_file;            ///< pattern of a file name: when such a file exists
  std::string signal_on_text;            ///< when standard error holds this
};

/// How a run ended.
struct Outcome {
  int status = -1;       ///< exit status; -1 when a signal ended it
  int signal = 0;        ///< the signal that ended it
  std::string out, err;  ///< err: what a terminal got, if it was one
  double cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< largest resident set
};

namespace detail {

/// The two ends of a stream that the child writes and we read.
struct Channel {
  int read = -1, write = -1;
};

inline void require(bool good, const char* what) {
  if (!good) throw std::system_error(errno, std::generic_category(), what);
}

inline Channel open_pipe() {
  int ends[2];
  require(::pipe2(ends, O_CLOEXEC) == 0, "pipe2");
  return {ends[0], ends[1]};
}

/// A pseudo terminal of 100 columns.
inline Channel open_terminal() {
  Channel channel;
  channel.read = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  require(channel.read >= 0 && ::grantpt(channel.read) == 0 && ::unlockpt(channel.read) == 0,
          "posix_openpt");
  channel.write = ::open(::ptsname(channel.read), O_RDWR | O_NOCTTY | O_CLOEXEC);
  require(channel.write >= 0, "ptsname");
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 100;
  require(::ioctl(channel.write, TIOCSWINSZ, &size) == 0, "TIOCSWINSZ");
  return channel;
}

/// In the child: never returns.
[[noreturn]] inline void become_zkgpu(const std::filesystem::path& home,
                                      const std::vector<std::string>& arguments,
                                      const RunOptions& options, int out, int err) {
  const auto limit = [](auto resource, rlim_t value) {
    const rlimit both{.rlim_cur = value, .rlim_max = value};
    if (value != RLIM_INFINITY && ::setrlimit(resource, &both) != 0) ::_exit(126);
  };
  if (!sanitized) limit(RLIMIT_AS, options.address_space_bytes);
  limit(RLIMIT_FSIZE, options.file_size_bytes);
  ::setenv("HOME", home.c_str(), 1);
  ::setenv("XDG_STATE_HOME", (home / "state").c_str(), 1);
  ::setenv("TERM", "xterm", 1);
  for (const std::string& entry : options.environment) ::putenv(::strdup(entry.c_str()));
  if (!options.stdout_path.empty()) out = ::open(options.stdout_path.c_str(), O_WRONLY);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (::dup2(nothing, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) ::_exit(126);
  const std::string program = ZKGPU_BINARY;
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

/// Does a file of this pattern exist? The pattern is one of names, in its folder.
inline bool exists_like(const std::filesystem::path& pattern) {
  std::error_code gone;  // files may come and go while we look
  for (const auto& entry : std::filesystem::directory_iterator(pattern.parent_path(), gone)) {
    const std::string name = entry.path().filename();
    if (::fnmatch(pattern.filename().c_str(), name.c_str(), 0) == 0) return true;
  }
  return false;
}

/// Collects what the child writes until it has closed both streams; sends it the signal it shall
/// get.
inline void listen(pid_t child, std::array<Channel, 2>& channels, std::array<std::string*, 2> texts,
                   const RunOptions& options) {
  using namespace std::chrono;
  const auto deadline = steady_clock::now() + minutes((sanitized ? 5 : 1) * options.minutes);
  bool to_signal = options.signal_number != 0;
  const auto is_time_to_signal = [&] {
    const std::string& text = options.signal_on_text;
    if (!text.empty()) return texts[1]->find(text) != std::string::npos;
    return exists_like(options.signal_on_file);
  };
  std::array<pollfd, 2> waiting{};
  for (std::size_t i = 0; i < 2; ++i) waiting[i] = {channels[i].read, POLLIN, 0};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (steady_clock::now() > deadline) ::kill(child, SIGKILL);
    if (to_signal && is_time_to_signal()) {
      ::kill(child, options.signal_number);
      to_signal = false;
    }
    if (::poll(waiting.data(), waiting.size(), to_signal ? 1 : 100) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < 2; ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t n = ::read(waiting[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
      } else if (n == 0 || errno != EINTR) {
        waiting[i].fd = -1;  // a terminal ends with EIO
      }
    }
  }
}

}  // namespace detail

/// Runs the program. One that takes more than its minutes is killed (signal 9).
/// HOME and XDG_STATE_HOME lead into `home`, so no run sees the lists of keys of another.
inline Outcome run_zkgpu(const std::filesystem::path& home,
                         const std::vector<std::string>& arguments,
                         const RunOptions& options = {}) {
  std::array<detail::Channel, 2> channels{
      detail::open_pipe(), options.terminal ? detail::open_terminal() : detail::open_pipe()};
  const pid_t child = ::fork();
  detail::require(child >= 0, "fork");
  if (child == 0) {
    detail::become_zkgpu(home, arguments, options, channels[0].write, channels[1].write);
  }
  for (const auto& channel : channels) ::close(channel.write);
  Outcome outcome;
  detail::listen(child, channels, {&outcome.out, &outcome.err}, options);
  for (const auto& channel : channels) ::close(channel.read);
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0) detail::require(errno == EINTR, "wait4");
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  outcome.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  outcome.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return outcome;
}

/// A folder that goes away with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "zkgpu-cli-XXXXXX";
    detail::require(::mkdtemp(pattern.data()) != nullptr, "mkdtemp");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// The path of a file in it.
  [[nodiscard]] std::string operator/(std::string_view name) const { return path_ / name; }
  /// Runs the program at home here.
  Outcome run(const std::vector<std::string>& arguments, const RunOptions& options = {}) const {
    return run_zkgpu(path_ / "home", arguments, options);
  }
  /// The names of all files in it, sorted; without those below `home`.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().filename() != "home") names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

/// Is this exactly one line of the form `zkgpu: error: <kind>: <message>`, of the kind that goes
/// with the exit status?
inline bool is_one_error_line(const std::string& err, int status) {
  static constexpr std::pair<int, const char*> kinds[] = {
      {2, "InvalidArgument"},   {3, "Malformed"},
      {4, "InsecureKey"},       {5, "WitnessUnsatisfied"},
      {6, "ResourceExhausted"}, {7, "DeviceError"},
      {8, "SelfCheckFailed"},   {9, "Io"},
      {10, "Cancelled"}};
  for (const auto& [code, kind] : kinds) {
    if (code != status) continue;
    const std::string start = std::string("zkgpu: error: ") + kind + ": ";
    return err.starts_with(start) && err.size() > start.size() + 1 &&
           err.find('\n') == err.size() - 1;
  }
  return false;
}

/// A small circuit with all that belongs to it, made by the program itself: circuit.r1cs
/// witness.wtns circuit.zkey verification_key.json proof.json public.json.
class OwnCircuit : public TemporaryFolder {
 public:
  explicit OwnCircuit(const std::string& kind = "chain", int log_constraints = 7) {
    const auto good = [this](const std::vector<std::string>& arguments) {
      const Outcome outcome = run(arguments);
      if (outcome.status != 0) throw std::runtime_error(arguments[0] + ": " + outcome.err);
    };
    const TemporaryFolder& at = *this;
    good({"example", kind, "--log-constraints", std::to_string(log_constraints), path()});
    good({"setup", at / "circuit.r1cs", at / "circuit.zkey"});
    good({"export", "vk", at / "circuit.zkey", at / "verification_key.json"});
    good(
        {"prove", at / "circuit.zkey", at / "witness.wtns", at / "proof.json", at / "public.json"});
  }
};

}  // namespace zkgpu::test
