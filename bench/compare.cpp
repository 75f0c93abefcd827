// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// bench-compare BASELINE.json NEW.json [PERCENT]
//
// Compares two outputs of Google Benchmark by name, each by the fastest of its repetitions, and
// fails if a benchmark of the baseline is more than PERCENT (5) slower, or missing. CPU time is
// compared where a benchmark runs on one thread, real time where its name says so.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace {

/// Nanoseconds of one unit of `time_unit`; 0 if the unit is unknown.
double nanoseconds(const std::string& unit) {
  if (unit == "ns") return 1;
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  return unit == "s" ? 1e9 : 0;
}

/// Name to the fastest time in nanoseconds; empty if the file cannot be read.
std::map<std::string, double> read_times(const char* path) {
  std::map<std::string, double> times;
  std::ifstream in(path);
  const auto document = nlohmann::json::parse(in, nullptr, false);
  if (!document.is_object() || !document.contains("benchmarks")) return times;
  for (const auto& run : document["benchmarks"]) {
    if (run.value("run_type", "iteration") != "iteration" || run.value("error_occurred", false)) {
      continue;
    }
    const std::string name = run.value("name", "");
    const bool real = name.find("/real_time") != std::string::npos;
    const double time =
        run.value(real ? "real_time" : "cpu_time", 0.0) * nanoseconds(run.value("time_unit", "ns"));
    if (time <= 0) continue;
    const auto [at, added] = times.emplace(name, time);
    if (!added) at->second = std::min(at->second, time);
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::fputs("usage: bench-compare BASELINE.json NEW.json [PERCENT]\n", stderr);
    return 2;
  }
  const double percent = argc == 4 ? std::atof(argv[3]) : 5.0;
  const auto before = read_times(argv[1]);
  const auto after = read_times(argv[2]);
  if (before.empty() || after.empty()) {
    std::fprintf(stderr, "%s: no benchmarks\n", before.empty() ? argv[1] : argv[2]);
    return 2;
  }
  int failed = 0;
  for (const auto& [name, old_time] : before) {
    const auto found = after.find(name);
    if (found == after.end()) {
      std::printf("X  missing   %s\n", name.c_str());
      ++failed;
      continue;
    }
    const double change = 100.0 * (found->second / old_time - 1.0);
    const bool slower = change > percent;
    std::printf("%s %+7.1f %%  %12.1f -> %12.1f ns  %s\n", slower ? "X " : "  ", change, old_time,
                found->second, name.c_str());
    failed += slower ? 1 : 0;
  }
  std::printf("%zu compared, %d slower or missing\n", before.size(), failed);
  return failed == 0 ? 0 : 1;
}
