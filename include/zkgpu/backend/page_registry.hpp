// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace zkgpu {

/// Which pages of the host are page-locked in place, and for how many users: a driver knows of each
/// page once, but several proofs may copy from the same memory at a time.
///
/// A lease of pages that another one has whole shares them; one that overlaps another in part waits
/// until that is let go, so nobody asks for a second lease while he holds one that it overlaps.
class PageRegistry {
 public:
  using Pages = std::span<const std::byte>;
  static constexpr std::size_t page_bytes = 4096;

  /// The whole pages inside of some memory: neighbours in memory never share one of them.
  static Pages whole_pages(Pages memory) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    const std::size_t before = (page_bytes - address % page_bytes) % page_bytes;
    if (memory.size() < before + page_bytes) return {};
    return memory.subspan(before, (memory.size() - before) / page_bytes * page_bytes);
  }

  /// @param pages  whole ones, at least one
  /// @param pin    pin(pages): whether `unpin` is to be called for them, when the last user is done
  /// @param unpin  unpin(pages), does not throw; keeps the registry alive, where nobody else does
  /// @throws what `pin` throws; std::bad_alloc
  template <class Pin, class Unpin>
  std::shared_ptr<const void> lease(Pages pages, const Pin& pin, const Unpin& unpin) {
    std::unique_lock lock(mutex_);
    for (auto at = overlapping(pages); at != entries_.end(); at = overlapping(pages)) {
      if (at->second.settled && covers(*at, pages)) {
        const Pages shared(at->first, at->second.bytes);
        ++at->second.users;
        lock.unlock();
        return user_of(shared, unpin);
      }
      changed_.wait(lock);
    }
    entries_.emplace(pages.data(), Entry{pages.size()});
    lock.unlock();
    bool ours = false;
    try {
      ours = pin(pages);
    } catch (...) {
      erase(pages);
      throw;
    }
    lock.lock();
    Entry& entry = entries_.at(pages.data());
    entry.ours = ours;
    entry.users = 1;
    entry.settled = true;
    lock.unlock();
    changed_.notify_all();
    return user_of(pages, unpin);
  }

 private:
  struct Entry {
    std::size_t bytes = 0;
    std::size_t users = 0;
    bool ours = false;
    bool settled = false;  ///< neither on its way in nor on its way out
  };
  using Entries = std::map<const std::byte*, Entry>;

  Entries::iterator overlapping(Pages pages) {
    auto at = entries_.lower_bound(pages.data());
    if (at != entries_.end() && at->first < pages.data() + pages.size()) return at;
    if (at == entries_.begin()) return entries_.end();
    --at;
    return at->first + at->second.bytes > pages.data() ? at : entries_.end();
  }
  static bool covers(const Entries::value_type& entry, Pages pages) noexcept {
    return entry.first <= pages.data() &&
           pages.data() + pages.size() <= entry.first + entry.second.bytes;
  }

  /// Where there is no memory for it, it gives up its use itself.
  template <class Unpin>
  std::shared_ptr<const void> user_of(Pages pages, const Unpin& unpin) {
    return {static_cast<const void*>(pages.data()),
            [this, pages, unpin](const void*) { let_go(pages, unpin); }};
  }
  template <class Unpin>
  void let_go(Pages pages, const Unpin& unpin) noexcept {
    {
      const std::scoped_lock lock(mutex_);
      Entry& entry = entries_.at(pages.data());
      if (--entry.users != 0) return;
      entry.settled = false;
      if (!entry.ours) {
        entries_.erase(pages.data());
        changed_.notify_all();
        return;
      }
    }
    unpin(pages);
    erase(pages);
  }
  void erase(Pages pages) noexcept {
    {
      const std::scoped_lock lock(mutex_);
      entries_.erase(pages.data());
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Entries entries_;
};

}  // namespace zkgpu
