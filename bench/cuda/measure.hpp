// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/backend/cuda.hpp>

namespace zkgpu::bench {

/// One line of the result: a path as name, milliseconds, and what one run did.
struct Row {
  std::string name;
  double median_ms = 0;
  double least_ms = 0;
  double most_ms = 0;
  int repeats = 0;
  std::vector<std::pair<std::string, double>> counters;
};

/// Times `run(queue)` by events: after two runs to warm up, the median of `repeats`.
template <class Run>
Row measure(const CudaQueue& queue, std::string name, int repeats, const Run& run) {
  for (int i = 0; i < 2; ++i) run(queue);
  std::vector<double> times;
  const CudaEvent begin;
  const CudaEvent end;
  for (int i = 0; i < repeats; ++i) {
    queue.record(begin);
    run(queue);
    queue.record(end);
    queue.wait();
    times.push_back(end.milliseconds_since(begin));
  }
  std::sort(times.begin(), times.end());
  Row row;
  row.name = std::move(name);
  row.median_ms = times[times.size() / 2];
  row.least_ms = times.front();
  row.most_ms = times.back();
  row.repeats = repeats;
  return row;
}

/// All rows, printed as they come and written as JSON at the end.
class Report {
 public:
  void add(Row row) {
    std::printf("%-52s %10.4f ms  (%.4f .. %.4f)", row.name.c_str(), row.median_ms, row.least_ms,
                row.most_ms);
    for (const auto& [key, value] : row.counters) std::printf("  %s %.4g", key.c_str(), value);
    std::printf("\n");
    std::fflush(stdout);
    rows_.push_back(std::move(row));
  }

  /// @param context  key and value pairs: device, commit, date
  void write(const std::string& path,
             const std::vector<std::pair<std::string, std::string>>& context) const {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) throw IoError("bench: cannot write " + path);
    std::fprintf(file, "{\n  \"context\": {");
    for (std::size_t i = 0; i < context.size(); ++i) {
      std::fprintf(file, "%s\n    \"%s\": \"%s\"", i == 0 ? "" : ",", context[i].first.c_str(),
                   context[i].second.c_str());
    }
    std::fprintf(file, "\n  },\n  \"benchmarks\": [");
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      std::fprintf(file,
                   "%s\n    {\"name\": \"%s\", \"real_time\": %.6g, \"time_unit\": \"ms\", "
                   "\"least\": %.6g, \"most\": %.6g, \"repetitions\": %d",
                   i == 0 ? "" : ",", row.name.c_str(), row.median_ms, row.least_ms, row.most_ms,
                   row.repeats);
      for (const auto& [key, value] : row.counters) {
        std::fprintf(file, ", \"%s\": %.8g", key.c_str(), value);
      }
      std::fprintf(file, "}");
    }
    std::fprintf(file, "\n  ]\n}\n");
    std::fclose(file);
  }

 private:
  std::vector<Row> rows_;
};

}  // namespace zkgpu::bench
