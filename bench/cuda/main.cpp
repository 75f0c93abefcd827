// SPDX-License-Identifier: Apache-2.0 OR MIT
// gpu-bench OUT.json COMMIT DATE [field] [pairs] [ntt] [quotient] [msm] [streamed] [bitmap]
// [windows] or PART = profile: a transform of 2^24 and an MSM of 2^22 once, for a profiler: the
// kernels' times on device 0.
#include <cstdio>
#include <string>

#include "rows.hpp"

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: gpu-bench OUT.json COMMIT DATE PART...\n");
    return 2;
  }
  try {
    const zkgpu::Cuda cuda(0);
    zkgpu::bench::Report report;
    const auto save = [&] {
      report.write(argv[1], {{"device", cuda.info().name}, {"commit", argv[2]}, {"date", argv[3]}});
    };
    for (int i = 4; i < argc; ++i) {
      const std::string part = argv[i];
      if (part == "field") zkgpu::bench::field_rows(cuda, report);
      if (part == "pairs") zkgpu::bench::pair_rows(cuda, report);
      if (part == "ntt") zkgpu::bench::ntt_rows(cuda, report);
      if (part == "quotient") zkgpu::bench::quotient_rows(cuda, report);
      if (part == "msm") zkgpu::bench::msm_rows(cuda, report);
      if (part == "streamed") zkgpu::bench::streamed_rows(cuda, report);
      if (part == "bitmap") zkgpu::bench::bitmap_rows(cuda, report);
      if (part == "quick") zkgpu::bench::msm_quick_rows(cuda, report);
      if (part == "windows") zkgpu::bench::msm_window_rows(cuda, report);
      if (part == "tune") zkgpu::bench::tune_rows(cuda, std::string(argv[1]) + ".rows.hpp");
      if (part == "profile") zkgpu::bench::profile_runs(cuda);
      save();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu-bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
