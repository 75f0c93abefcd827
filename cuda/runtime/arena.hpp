// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>

#include <zkgpu/backend/cuda.hpp>

namespace zkgpu::cuda {

/// Where an arena gets its blocks: cudaMalloc and cudaFree, or a test's.
struct BlockSource {
  std::function<std::byte*(std::size_t)> obtain;  ///< throws ResourceExhausted
  std::function<void(std::byte*)> release;        ///< must not throw
};

/// Memory of one device, cut from large blocks that stay until trim(): in the steady state no
/// buffer costs a call of the driver. Best fit; neighbours that are free merge.
class Arena {
 public:
  static constexpr std::size_t alignment = 256;
  static constexpr std::size_t smallest_block = std::size_t{32} << 20;

  explicit Arena(BlockSource source) : source_(std::move(source)) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// @throws ResourceExhausted if the driver has no such block either
  std::byte* allocate(std::size_t bytes);
  void release(std::byte* memory) noexcept;
  void trim() noexcept;
  [[nodiscard]] ArenaUse use() const;

 private:
  struct Piece {
    std::size_t bytes = 0;
    bool used = false;
    bool first = false;  ///< of its block
  };
  using Pieces = std::map<std::byte*, Piece>;
  Pieces::iterator best_fit(std::size_t bytes);
  void trim_locked() noexcept;

  BlockSource source_;
  mutable std::mutex mutex_;
  Pieces pieces_;
};

}  // namespace zkgpu::cuda
