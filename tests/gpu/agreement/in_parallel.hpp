// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace zkgpu::gpu_test {

/// Calls each(first, last) for the parts of [0, n), a thread a part.
template <class Each>
void in_parallel(std::size_t n, const Each& each) {
  const std::size_t workers =
      std::clamp<std::size_t>(n / 1024, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w) {
    threads.emplace_back([&each, w, workers, n] { each(n * w / workers, n * (w + 1) / workers); });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace zkgpu::gpu_test
