// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace zkgpu {

/// Things of known sizes that are made on first use and kept within a budget. Where it is full, the
/// one that was asked for the longest ago goes, of those that nobody uses. One that was asked for
/// `most_uses` times goes when the last of these uses has ended, and who asks then makes another.
/// Any thread may ask.
class QueryCache {
 public:
  explicit QueryCache(std::size_t budget_bytes, std::size_t most_uses = unlimited)
      : budget_(budget_bytes), most_uses_(most_uses) {}
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  QueryCache(const QueryCache&) = delete;
  QueryCache& operator=(const QueryCache&) = delete;
  ~QueryCache() = default;

  /// What stands for `name`: in use while the result lives, which the cache must outlive. Null if
  /// there is no room for it beside what others use now. Who asks for what another one makes waits
  /// for that.
  ///
  /// @tparam T    always the same for a name
  /// @param load  load(): a std::shared_ptr<const T> that takes at most `bytes`
  /// @throws what `load` throws: then nothing is kept, and who waited makes it himself
  template <class T, class Load>
  std::shared_ptr<const T> use(const void* name, std::size_t bytes, const Load& load) {
    std::shared_ptr<Held<T>> held;
    {
      std::unique_lock lock(mutex_);
      for (auto at = find(name); at != entries_.end(); at = find(name)) {
        if (at->made != nullptr) {
          at->asked = ++clock_;
          return std::static_pointer_cast<const T>(take(at));
        }
        changed_.wait(lock);
      }
      if (!make_room(bytes)) return nullptr;
      held = std::make_shared<Held<T>>(*this, bytes);
      entries_.push_back({name, bytes, ++clock_, 0, nullptr});
    }
    try {
      held->thing = load();
    } catch (...) {
      {
        const std::scoped_lock lock(mutex_);
        entries_.erase(find(name));
      }
      changed_.notify_all();
      throw;
    }
    std::shared_ptr<const void> made(held, held->thing.get());
    {
      const std::scoped_lock lock(mutex_);
      const auto at = find(name);
      at->made = std::move(made);
      made = take(at);
    }
    changed_.notify_all();
    return std::static_pointer_cast<const T>(made);
  }

  /// Of all that is kept, used or made now.
  [[nodiscard]] std::size_t bytes() const noexcept { return used_.load(std::memory_order_acquire); }

 private:
  /// What is taken of the budget, until this dies: with the last user of what it is taken for.
  class Room {
   public:
    Room(QueryCache& cache, std::size_t bytes) noexcept : cache_(cache), bytes_(bytes) {
      cache_.used_.fetch_add(bytes, std::memory_order_relaxed);
    }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    ~Room() { cache_.used_.fetch_sub(bytes_, std::memory_order_release); }

   private:
    QueryCache& cache_;
    std::size_t bytes_;
  };
  template <class T>
  struct Held {
    Held(QueryCache& cache, std::size_t bytes) noexcept : room(cache, bytes) {}
    const Room room;  // dies after the thing
    std::shared_ptr<const T> thing;
  };
  struct Entry {
    const void* name;
    std::size_t bytes;
    std::uint64_t asked;               ///< when, the last time
    std::size_t uses;                  ///< so far
    std::shared_ptr<const void> made;  ///< null: somebody is at it
    [[nodiscard]] bool idle() const noexcept { return made != nullptr && made.use_count() == 1; }
  };
  using Entries = std::vector<Entry>;

  Entries::iterator find(const void* name) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.name == name; });
  }
  /// One use of it; after the last that it is made for it belongs to its users alone.
  std::shared_ptr<const void> take(Entries::iterator at) {
    if (++at->uses < most_uses_) return at->made;
    std::shared_ptr<const void> last = std::move(at->made);
    entries_.erase(at);
    return last;
  }
  /// Lets nothing go unless that makes enough room.
  bool make_room(std::size_t bytes) {
    if (bytes > budget_) return false;
    std::size_t idle = 0;
    for (const Entry& entry : entries_) idle += entry.idle() ? entry.bytes : 0;
    if (used_ > budget_ - bytes + idle) return false;  // users may let go meanwhile, none comes
    while (used_ > budget_ - bytes) {
      auto oldest = entries_.end();
      for (auto at = entries_.begin(); at != entries_.end(); ++at) {
        if (!at->idle()) continue;  // nobody takes up one meanwhile: that needs the lock
        if (oldest == entries_.end() || at->asked < oldest->asked) oldest = at;
      }
      if (oldest == entries_.end()) return false;
      entries_.erase(oldest);
    }
    return true;
  }

  const std::size_t budget_, most_uses_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::size_t> used_ = 0;  // grows with the mutex held
  std::uint64_t clock_ = 0;
  Entries entries_;  // their rooms die before what they are counted in
};

}  // namespace zkgpu
