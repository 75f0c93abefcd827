// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>
#include <zkgpu/prover/pipeline/memory/wipe.hpp>

namespace zkgpu::pipeline {

/// Release policy: freed by one thread of the source, beside the stages. Host memory is wiped
/// before that, by whoever gives it back: no secret outlives its last reader. Bytes that wait to be
/// freed still count against the plan, and who needs them waits for this thread.
struct free_async {
  static constexpr std::string_view name = "free_async";
  static constexpr bool frees = true;

  template <Backend B>
  class Freer {
   public:
    using Buffer = typename BufferSource<B>::Buffer;
    /// @throws ResourceExhausted if there is no thread to be had
    Freer(B& backend, MemoryBudget& budget)
        : backend_(&backend), budget_(&budget), thread_(start()) {}
    Freer(const Freer&) = delete;
    Freer& operator=(const Freer&) = delete;
    ~Freer() {
      {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
      }
      changed_.notify_one();
      thread_.join();
    }

    void free(Buffer&& buffer) noexcept {
      Buffer dying = std::move(buffer);
      const std::size_t bytes = dying.size();
      if constexpr (host_memory<B>) wipe(*backend_, dying, *budget_);
      budget_->dying(bytes);
      try {
        {
          const std::scoped_lock lock(mutex_);
          waiting_.push_back(std::move(dying));
        }
        changed_.notify_one();
      } catch (const std::exception&) {  // no memory for the list's entry: freed here
        end(std::move(dying));
      }
    }

   private:
    std::thread start() {
      try {
        return std::thread([this] { run(); });
      } catch (const std::system_error&) {
        throw ResourceExhausted("free_async: no thread is left");
      }
    }
    void run() {
      std::vector<Buffer> taken;
      std::unique_lock lock(mutex_);
      while (true) {
        while (waiting_.empty() && !ending_) changed_.wait(lock);
        if (waiting_.empty()) return;
        taken.swap(waiting_);
        lock.unlock();
        for (Buffer& buffer : taken) end(std::move(buffer));
        taken.clear();
        lock.lock();
      }
    }
    void end(Buffer&& buffer) noexcept {
      const std::size_t bytes = buffer.size();
      {
        Buffer dying = std::move(buffer);
        if constexpr (!host_memory<B>) wipe(*backend_, dying, *budget_);
      }
      budget_->died(bytes);
    }

    B* backend_;
    MemoryBudget* budget_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Buffer> waiting_;
    bool ending_ = false;
    std::thread thread_;  // the last: it starts with all the rest made
  };
};

}  // namespace zkgpu::pipeline
