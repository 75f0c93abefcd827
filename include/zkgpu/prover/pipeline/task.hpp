// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace zkgpu::pipeline {

/// A piece of work that runs once. Moves only, so it may own what it works on.
class Task {
 public:
  Task() = default;
  template <std::invocable Work>
  requires(!std::same_as<std::decay_t<Work>, Task>) Task(Work&& work)  // NOLINT: a lambda is a task
      : body_(std::make_unique<Body<std::decay_t<Work>>>(std::forward<Work>(work))) {}

  void operator()() { body_->run(); }
  [[nodiscard]] bool is_empty() const noexcept { return body_ == nullptr; }

 private:
  struct Runnable {
    Runnable() = default;
    Runnable(const Runnable&) = delete;
    Runnable& operator=(const Runnable&) = delete;
    virtual ~Runnable() = default;
    virtual void run() = 0;
  };
  template <class Work>
  struct Body final : Runnable {
    explicit Body(Work work_) : work(std::move(work_)) {}
    void run() override { work(); }
    Work work;
  };
  std::unique_ptr<Runnable> body_;
};

}  // namespace zkgpu::pipeline
