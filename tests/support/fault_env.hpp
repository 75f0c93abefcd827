// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include <zkgpu/core/env.hpp>

namespace zkgpu::test {

/// What happens to the i-th call of an environment.
enum class Fault {
  none,
  fail,       ///< the call fails with `error`; memory is refused
  interrupt,  ///< the call fails with EINTR; the next one works
  shorten,    ///< reads, writes and random bytes do half of what was asked, at least one byte
  end,        ///< a read says that the file has ended, a write takes nothing
  corrupt,    ///< one bit of what a read gives is flipped
  replace,    ///< a status tells of another inode: the file was replaced
};

/// The real system, but the calls are counted and one of them goes wrong. For several threads.
///
/// Sweep: run once with Fault::none, take `calls()`, then run with the fault at each of them.
class FaultEnv {
 public:
  FaultEnv() = default;
  /// @param at  index from 0 of the call that goes wrong
  FaultEnv(Fault fault, std::uint64_t at, int error = EIO)
      : fault_(fault), at_(at), error_(error) {}

  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }
  [[nodiscard]] std::uint64_t open_descriptors() const noexcept { return open_; }
  /// Did the planned fault happen: was there such a call, and of a kind that the fault concerns?
  [[nodiscard]] bool struck() const noexcept { return struck_; }

  SystemResult open_read(const char* path) {
    return opened(fails() ? failure_ : real_.open_read(path));
  }
  SystemResult open_directory(const char* path) {
    return opened(fails() ? failure_ : real_.open_directory(path));
  }
  SystemResult open_new(const char* path, unsigned mode) {
    return opened(fails() ? failure_ : real_.open_new(path, mode));
  }
  SystemResult status(int fd, FileStatus& status) {
    return replaced(real_.status(fd, status), status);
  }
  SystemResult status_of_path(const char* path, FileStatus& status) {
    return replaced(real_.status_of_path(path, status), status);
  }
  SystemResult real_path(const char* path, std::string& resolved) {
    return fails() ? failure_ : real_.real_path(path, resolved);
  }
  SystemResult read_link(const char* path, std::string& to) {
    return fails() ? failure_ : real_.read_link(path, to);
  }
  SystemResult set_permissions(int fd, unsigned mode) {
    return fails() ? failure_ : real_.set_permissions(fd, mode);
  }
  SystemResult read_at(int fd, std::byte* to, std::size_t n, std::uint64_t offset) {
    const Fault now = next();
    if (is_failure(now)) return failure_;
    if (now == Fault::end) return {0, 0};
    const SystemResult got = real_.read_at(fd, to, shortened(now, n), offset);
    if (now == Fault::corrupt && got.value > 0) {
      to[static_cast<std::size_t>(got.value) / 2] ^= std::byte{1};
    }
    return got;
  }
  SystemResult write_some(int fd, const std::byte* from, std::size_t n) {
    const Fault now = next();
    if (is_failure(now)) return failure_;
    if (now == Fault::end) return {0, 0};
    return real_.write_some(fd, from, shortened(now, n));
  }
  SystemResult sync(int fd) { return fails() ? failure_ : real_.sync(fd); }
  /// Closes in any case, as the system does.
  SystemResult close(int fd) {
    const bool failing = fails();
    --open_;
    const SystemResult closed = real_.close(fd);
    return failing ? failure_ : closed;
  }
  SystemResult rename(const char* from, const char* to) {
    return fails() ? failure_ : real_.rename(from, to);
  }
  SystemResult remove(const char* path) { return real_.remove(path); }
  SystemResult make_directory(const char* path, unsigned mode) {
    return fails() ? failure_ : real_.make_directory(path, mode);
  }
  SystemResult random(std::byte* to, std::size_t n) {
    const Fault now = next();
    if (is_failure(now)) return failure_;
    if (now == Fault::end) return {0, 0};
    return real_.random(to, shortened(now, n));
  }
  SteadyTime now() const noexcept { return real_.now(); }
  std::uint32_t user() const noexcept { return real_.user(); }
  void admit_memory(std::size_t) {
    if (next() == Fault::fail) throw std::bad_alloc();
  }

 private:
  /// Counts a call; what is to happen to it.
  Fault next() noexcept {
    if (calls_++ != at_ || fault_ == Fault::none) return Fault::none;
    struck_ = true;
    failure_ = {-1, fault_ == Fault::interrupt ? EINTR : error_};
    return fault_;
  }
  static bool is_failure(Fault fault) noexcept {
    return fault == Fault::fail || fault == Fault::interrupt;
  }
  bool fails() noexcept { return is_failure(next()); }
  static std::size_t shortened(Fault fault, std::size_t n) noexcept {
    return fault == Fault::shorten && n > 1 ? n / 2 : n;
  }
  SystemResult opened(SystemResult result) noexcept {
    if (!result.failed()) ++open_;
    return result;
  }
  SystemResult replaced(SystemResult result, FileStatus& status) noexcept {
    const Fault now = next();
    if (is_failure(now)) return failure_;
    if (now == Fault::replace) status.inode ^= 1;
    return result;
  }

  RealEnv real_;
  Fault fault_ = Fault::none;
  std::uint64_t at_ = 0;
  int error_ = EIO;
  SystemResult failure_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> open_ = 0;
  std::atomic<bool> struck_ = false;
};

static_assert(Env<FaultEnv>);

}  // namespace zkgpu::test
