// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "session/process.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <exception>
#include <string>
#include <thread>

#include "cli/failure.hpp"
#include "session/command_env.hpp"

namespace zkgpu::cli {

namespace {

std::atomic<void (*)()> clear_line{nullptr};
std::atomic<bool> speak_json{false};

constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP};

void write_stderr(const std::string& text) noexcept {
  // Nothing is left to do about a standard error that takes no text.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void end_by_signal(int signal) {
  const auto lock = TemporaryFiles::of_process().hold();
  TemporaryFiles::of_process().remove_all();
  if (auto* const clear = clear_line.load()) clear();
  const char* name = signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP";
  const Failure failure{ErrorKind::cancelled, std::string("ended by ") + name, {}};
  write_stderr(format(failure, speak_json));
  ::_exit(static_cast<int>(ErrorKind::cancelled));
}

[[noreturn]] void end_by_exception() {
  Failure failure{ErrorKind::internal, "terminated without an exception", {}};
  if (const auto error = std::current_exception()) {
    failure = describe(error);
    failure.kind = ErrorKind::internal;
  }
  {
    const auto lock = TemporaryFiles::of_process().hold();
    TemporaryFiles::of_process().remove_all();
    write_stderr(format(failure, speak_json));
    ::_exit(static_cast<int>(ErrorKind::internal));
  }
}

/// All threads of the process block the signals; one waits for them. So the handler is ordinary
/// code, and may lock and allocate.
void wait_for_signals() {
  sigset_t set;
  sigemptyset(&set);
  bool any = false;
  for (const int signal : ending_signals) {
    struct sigaction old;
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;  // nohup
    sigaddset(&set, signal);
    any = true;
  }
  if (!any || pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0) return;
  std::thread([set] {
    int signal = 0;
    while (sigwait(&set, &signal) != 0) {
    }
    end_by_signal(signal);
  }).detach();
}

}  // namespace

void prepare_process(bool json) {
  speak_json = json;
  std::set_terminate(end_by_exception);
  // 1 and not 0: Linux takes no dump for a limit below a page, and with a dump program behind a
  // pipe it ignores every limit but this one.
  const rlimit no_core{.rlim_cur = 1, .rlim_max = 1};
  static_cast<void>(::setrlimit(RLIMIT_CORE, &no_core));
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  wait_for_signals();
}

void on_signal_clear(void (*clear)()) { clear_line = clear; }

}  // namespace zkgpu::cli
