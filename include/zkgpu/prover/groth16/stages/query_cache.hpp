// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace zkgpu {

/// Things of known sizes that are made on first use and kept within a budget. Where it is full, the
/// one that was asked for the longest ago goes, of those that nobody uses. Any thread may ask.
class QueryCache {
 public:
  explicit QueryCache(std::size_t budget_bytes) : budget_(budget_bytes) {}
  QueryCache(const QueryCache&) = delete;
  QueryCache& operator=(const QueryCache&) = delete;
  ~QueryCache() = default;

  /// What stands for `name`: in use while the result lives. Null if there is no room for it beside
  /// what others use now. Who asks for what another one makes waits for that.
  ///
  /// @tparam T    always the same for a name
  /// @param load  load(): a std::shared_ptr<const T> that takes at most `bytes`
  /// @throws what `load` throws: then nothing is kept, and who waited makes it himself
  template <class T, class Load>
  std::shared_ptr<const T> use(const void* name, std::size_t bytes, const Load& load) {
    {
      std::unique_lock lock(mutex_);
      for (auto at = find(name); at != entries_.end(); at = find(name)) {
        if (at->made != nullptr) {
          at->asked = ++clock_;
          return std::static_pointer_cast<const T>(at->made);
        }
        changed_.wait(lock);
      }
      if (!make_room(bytes)) return nullptr;
      entries_.push_back({name, bytes, ++clock_, nullptr});
      used_ += bytes;
    }
    try {
      std::shared_ptr<const T> made = load();
      {
        const std::scoped_lock lock(mutex_);
        find(name)->made = made;
      }
      changed_.notify_all();
      return made;
    } catch (...) {
      {
        const std::scoped_lock lock(mutex_);
        remove(find(name));
      }
      changed_.notify_all();
      throw;
    }
  }

  /// Of all that is kept or made now.
  [[nodiscard]] std::size_t bytes() const {
    const std::scoped_lock lock(mutex_);
    return used_;
  }

 private:
  struct Entry {
    const void* name;
    std::size_t bytes;
    std::uint64_t asked;               ///< when, the last time
    std::shared_ptr<const void> made;  ///< null: somebody is at it
    [[nodiscard]] bool idle() const noexcept { return made != nullptr && made.use_count() == 1; }
  };
  using Entries = std::vector<Entry>;

  Entries::iterator find(const void* name) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.name == name; });
  }
  void remove(Entries::iterator at) noexcept {
    used_ -= at->bytes;
    entries_.erase(at);
  }
  /// Lets nothing go unless that makes enough room.
  bool make_room(std::size_t bytes) {
    if (bytes > budget_) return false;
    std::size_t busy = 0;
    for (const Entry& entry : entries_) busy += entry.idle() ? 0 : entry.bytes;
    if (busy > budget_ - bytes) return false;
    while (used_ > budget_ - bytes) {
      auto oldest = entries_.end();
      for (auto at = entries_.begin(); at != entries_.end(); ++at) {
        if (!at->idle()) continue;  // nobody takes up one meanwhile: that needs the lock
        if (oldest == entries_.end() || at->asked < oldest->asked) oldest = at;
      }
      remove(oldest);
    }
    return true;
  }

  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Entries entries_;
  std::size_t used_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace zkgpu
