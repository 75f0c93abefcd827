// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <mutex>
#include <set>
#include <string>

#include <zkgpu/core/env.hpp>

namespace zkgpu::cli {

/// The temporary files of this process: what a signal must remove before the process ends.
class TemporaryFiles {
 public:
  /// One for the process, and it lives until the end: the thread that waits for signals uses it.
  static TemporaryFiles& of_process() {
    static auto* const files = new TemporaryFiles;  // never destroyed: see above
    return *files;
  }

  /// While it is held no signal ends the process: for a group of renames. Not for long work.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> hold() {
    return std::unique_lock<std::recursive_mutex>(mutex_);
  }
  void insert(const char* path) { paths_.insert(path); }
  void erase(const char* path) { paths_.erase(path); }

  /// Removes every one. The caller holds the lock and ends the process without letting go of it.
  void remove_all() noexcept {
    for (const std::string& path : paths_) ::unlink(path.c_str());
  }

 private:
  std::recursive_mutex mutex_;
  std::set<std::string> paths_;
};

/// The operating system, with an account of the temporary files: in this program `open_new` makes
/// nothing else, `rename` gives one its final name, and `remove` ends one.
struct CommandEnv : RealEnv {
  SystemResult open_new(const char* path, unsigned mode) const {
    TemporaryFiles& files = TemporaryFiles::of_process();
    const auto lock = files.hold();
    files.insert(path);  // first: to remove a file that is not there does no harm
    const SystemResult opened = RealEnv::open_new(path, mode);
    if (opened.failed()) files.erase(path);
    return opened;
  }
  SystemResult rename(const char* from, const char* to) const {
    TemporaryFiles& files = TemporaryFiles::of_process();
    const auto lock = files.hold();
    const SystemResult renamed = RealEnv::rename(from, to);
    if (!renamed.failed()) files.erase(from);
    return renamed;
  }
  SystemResult remove(const char* path) const {
    TemporaryFiles& files = TemporaryFiles::of_process();
    const auto lock = files.hold();
    const SystemResult removed = RealEnv::remove(path);
    files.erase(path);
    return removed;
  }
};

static_assert(Env<CommandEnv>);

}  // namespace zkgpu::cli
