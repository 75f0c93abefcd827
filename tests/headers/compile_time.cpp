// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// compile_time COMPILER INCLUDE_DIR HEADERS EXCEPTIONS
//
// Measures the CPU time that a compiler needs for a program of one public header, included twice,
// and fails if one does not compile alone or needs more than its budget of 0.7 s. The budget is
// stated for a machine on which the yardstick, a program of five standard headers, takes 0.32 s; on
// a slower machine or under another compiler it grows by the same factor. What else runs beside it
// slows a core too, so a header that seems over budget is measured again, right after the
// yardstick, and the best of five pairs counts.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

extern char** environ;

namespace {

constexpr double budget_seconds = 0.7;      // STYLE: a public header alone
constexpr double yardstick_seconds = 0.32;  // g++ 12.2 on the machine the budget is stated for
constexpr double tolerance = 1.25;          // what CPU time itself varies by on a shared machine

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

/// CPU seconds of one run of `arguments`, children included; nothing if it failed.
std::optional<double> cpu_time(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  rusage before{};
  getrusage(RUSAGE_CHILDREN, &before);
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return {};
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) return {};
  rusage after{};
  getrusage(RUSAGE_CHILDREN, &after);
  return seconds(after.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_utime) -
         seconds(before.ru_stime);
}

struct Compiler {
  std::string path;
  std::string include_dir;

  /// CPU seconds to compile `text`.
  [[nodiscard]] std::optional<double> measure(const std::string& text) const {
    const char* folder = std::getenv("TMPDIR");
    std::string source =
        std::string(folder != nullptr ? folder : "/tmp") + "/compile_timeXXXXXX.cpp";
    const int file = mkstemps(source.data(), 4);
    if (file < 0) return {};
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    std::optional<double> time;
    if (written) {
      time =
          cpu_time({path, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror",
                    "-fsyntax-only", "-I", include_dir, "-isystem", "/usr/include/eigen3", source});
    }
    unlink(source.c_str());
    return time;
  }

  /// Seconds that a header takes on the machine the budgets are stated for; nothing if it or the
  /// yardstick does not compile. If not below `enough` as this machine is, the least of at most
  /// five tries beside the yardstick.
  [[nodiscard]] std::optional<double> stated_seconds(const std::string& header,
                                                     double enough) const {
    const std::string program = "#include <" + header + ">\n#include <" + header + ">\n";
    std::optional<double> best = measure(program);
    for (int run = 0; run < 5 && best && *best > enough; ++run) {
      const auto yardstick = measure(
          "#include <algorithm>\n#include <array>\n#include <span>\n#include <string>\n"
          "#include <vector>\n");
      const auto time = measure(program);
      if (!yardstick || !time || *yardstick <= 0) return {};
      const double stated = *time * std::min(1.0, yardstick_seconds / *yardstick);
      best = std::min(*best, stated);
    }
    return best;
  }
};

std::map<std::string, double> read_exceptions(const char* path) {
  std::map<std::string, double> budgets;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string header;
    double budget = 0;
    if (line.starts_with('#') || !(fields >> header >> budget)) continue;
    budgets[header] = budget;
  }
  return budgets;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: compile_time COMPILER INCLUDE_DIR HEADERS EXCEPTIONS\n", stderr);
    return 2;
  }
  const Compiler compiler{argv[1], argv[2]};
  const auto exceptions = read_exceptions(argv[4]);
  std::ifstream headers(argv[3]);
  int failed = 0;
  int measured = 0;
  for (std::string header; std::getline(headers, header);) {
    if (header.empty()) continue;
    const auto own = exceptions.find(header);
    const double budget = tolerance * (own == exceptions.end() ? budget_seconds : own->second);
    const auto time = compiler.stated_seconds(header, budget);
    const bool good = time && *time <= budget;
    std::printf("%s %6.2f s of %.2f  %s\n", good ? "  " : "X ", time.value_or(0.0), budget,
                header.c_str());
    failed += good ? 0 : 1;
    ++measured;
  }
  std::printf("%d headers, %d over budget or not compiling\n", measured, failed);
  return failed != 0 || measured == 0 ? 1 : 0;
}
