// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <future>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

/// Looks for secrets in the memory of this process, without having them in memory itself.
namespace zkgpu::test {

/// Secrets as a scan knows them: of each 64-bit word a print from which only a computation leads
/// back. Text, so that another process can make it.
class SecretPrints {
 public:
  static constexpr std::size_t words = 4;  ///< of one secret

  void add(const std::string& name, std::span<const std::uint64_t, words> secret) {
    for (std::size_t i = 0; i < words; ++i) insert(name, i, print(secret[i]));
  }
  void write(const std::string& path) const {
    std::ofstream out(path);
    for (const auto& [mark, word] : by_print_) {
      out << mark << ' ' << word.index << ' ' << names_[word.name] << '\n';
    }
  }
  static SecretPrints read(const std::string& path) {
    SecretPrints prints;
    std::ifstream in(path);
    std::uint64_t mark = 0;
    std::size_t index = 0;
    std::string name;
    while (in >> mark >> index >> name) prints.insert(name, index, mark);
    if (prints.by_print_.empty()) throw std::runtime_error("no prints in " + path);
    return prints;
  }

  /// Name and length of the longest run of words of one secret that begins at `at`.
  [[nodiscard]] std::pair<const std::string*, std::size_t> run(const std::byte* at,
                                                               std::size_t left) const {
    std::size_t length = 0;
    const Word* first = find(at);
    for (const Word* word = first; word != nullptr;
         word = left > 8 * length + 7 ? find(at + 8 * length) : nullptr) {
      if (word->name != first->name || word->index != first->index + length) break;
      ++length;
    }
    return {first == nullptr ? nullptr : &names_[first->name], length};
  }

 private:
  struct Word {
    std::size_t name = 0, index = 0;
  };
  static constexpr unsigned filter_bits = 20;

  static std::uint64_t print(std::uint64_t word) noexcept {
    word *= 0x9e3779b97f4a7c15;  // odd numbers: each step can be undone, and so loses nothing
    word ^= word >> 32;
    return word * 0xd6e8feb86659fd93;
  }
  void insert(const std::string& name, std::size_t index, std::uint64_t mark) {
    const auto known = std::find(names_.begin(), names_.end(), name);
    const auto number = static_cast<std::size_t>(known - names_.begin());
    if (known == names_.end()) names_.push_back(name);
    by_print_[mark] = {number, index};
    filter_[mark >> (64 - filter_bits)] = true;
  }
  [[nodiscard]] const Word* find(const std::byte* at) const {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const std::uint64_t mark = print(word);
    if (!filter_[mark >> (64 - filter_bits)]) return nullptr;
    const auto found = by_print_.find(mark);
    return found == by_print_.end() ? nullptr : &found->second;
  }

  std::vector<std::string> names_;
  std::unordered_map<std::uint64_t, Word> by_print_;
  std::vector<bool> filter_ = std::vector<bool>(std::size_t{1} << filter_bits);
};

/// One place where a secret, or a part of it, was found.
struct FoundSecret {
  std::string name;
  std::string region;  ///< as /proc/self/maps names it
  std::size_t words = 0;
};

/// What a scan saw.
struct MemoryScan {
  std::vector<FoundSecret> found;
  std::uint64_t bytes = 0;  ///< how much was looked at

  /// Longest run of words of any secret.
  [[nodiscard]] std::size_t longest() const {
    std::size_t most = 0;
    for (const FoundSecret& one : found) most = std::max(most, one.words);
    return most;
  }
  [[nodiscard]] std::string report() const {
    std::string text = std::to_string(bytes) + " bytes";
    for (const FoundSecret& one : found) {
      text += "\n" + one.name + ": " + std::to_string(one.words) + " words in " + one.region;
    }
    return text;
  }
};

/// Looks at every byte offset of every writable region of this process, stacks of all threads and
/// freed heap included. Through /proc/self/mem: a guard page is a failed read, not a signal.
/// @param min_words  shorter runs are not reported
inline MemoryScan scan_memory(const SecretPrints& prints, std::size_t min_words) {
  constexpr std::size_t window = std::size_t{1} << 20;
  constexpr std::size_t overlap = 8 * SecretPrints::words;
  auto* buffer = static_cast<std::byte*>(
      ::mmap(nullptr, window, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const int memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (buffer == MAP_FAILED || memory < 0) throw std::runtime_error("cannot read /proc/self/mem");
  std::vector<std::string> regions;
  {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) regions.push_back(line);
  }
  MemoryScan scan;
  for (const std::string& region : regions) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char mode[8] = {};
    if (std::sscanf(region.c_str(), "%lx-%lx %7s", &begin, &end, mode) != 3) continue;
    if (mode[0] != 'r' || mode[1] != 'w') continue;
    // The window may have become a part of a larger region: it alone is left out.
    const auto own = reinterpret_cast<unsigned long>(buffer);
    for (unsigned long at = begin; at < end;) {
      if (at >= own && at < own + window) {
        at = own + window;
        continue;
      }
      const unsigned long stop = at < own ? std::min(end, own) : end;
      const ssize_t got =
          ::pread(memory, buffer, std::min<std::size_t>(window, stop - at), static_cast<off_t>(at));
      if (got <= 0) {
        at += 4096;
        continue;
      }
      const auto n = static_cast<std::size_t>(got);
      // What begins in the last bytes is seen again, whole, in the next window.
      const std::size_t starts = at + n < stop && n > overlap ? n - overlap : n;
      for (std::size_t i = 0; i < starts && i + 8 <= n;) {
        const auto [name, length] = prints.run(buffer + i, n - i);
        if (length >= min_words && name != nullptr) {
          scan.found.push_back({*name, region, length});
        }
        i += length == 0 ? 1 : 8 * length;
      }
      scan.bytes += starts;
      at += starts;
    }
  }
  ::close(memory);
  ::munmap(buffer, window);
  return scan;
}

/// Runs `work` on a thread of its own, and `check` while that thread stands still behind it: then
/// its stack is as the work has left it.
template <class Work, class Check>
void check_behind(const Work& work, const Check& check) {
  std::promise<void> worked;
  std::promise<void> checked;
  std::thread worker([&] {
    try {
      work();
      worked.set_value();
    } catch (...) {
      worked.set_exception(std::current_exception());
    }
    checked.get_future().wait();
  });
  std::string failure;
  try {
    worked.get_future().get();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  check();
  checked.set_value();
  worker.join();
  if (!failure.empty()) throw std::runtime_error(failure);
}

}  // namespace zkgpu::test
