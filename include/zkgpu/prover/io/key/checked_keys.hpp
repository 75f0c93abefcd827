// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>

namespace zkgpu::io {

/// The local list of keys whose every point was once checked on this machine, by full digest.
///
/// A listed key skips the curve and subgroup checks of its points, because the digest of the bytes
/// in use is equal to that of bytes that passed. Who can write the list can make us trust any key:
/// a list that others may write, or that belongs to another user, counts as unreadable.
///
/// Text, one line a key: 64 hexadecimal digits of SHA-256. The first line names format and rules;
/// it changes when the checks become stricter, and old lists then count as empty.
class CheckedKeys {
 public:
  static constexpr std::string_view header = "zkgpu-checked-keys 1 sha256\n";
  static constexpr std::size_t line_bytes = 65;
  static constexpr std::size_t max_keys = 4096;  // 260 KiB; the oldest go first
  static constexpr std::uint64_t max_bytes = header.size() + max_keys * line_bytes;

  CheckedKeys() = default;

  [[nodiscard]] bool contains(const Digest& digest) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return digests_.size(); }
  void insert(const Digest& digest);

  /// Strict: anything but header and whole lines is refused. @throws Malformed
  static CheckedKeys parse(std::span<const std::byte> text, const std::string& name);
  [[nodiscard]] std::string format() const;

 private:
  std::vector<Digest> digests_;  // oldest first
};

/// What `load_checked_keys` found; a warning means that the list counts as empty.
struct LoadedCheckedKeys {
  CheckedKeys keys;
  std::string warning;
};

/// Never throws for a bad list: a missing list is empty, an unusable one is empty with a warning.
/// @param path  file name, by convention `$XDG_STATE_HOME/zkgpu/checked-keys`
template <Env E>
LoadedCheckedKeys load_checked_keys(E& env, const std::string& path) {
  FileStatus status;
  const SystemResult found = env.status_of_path(path.c_str(), status);
  if (found.failed() && found.error == ENOENT) return {};
  try {
    if (found.failed()) throw IoError(path + ": cannot stat: " + system_message(found.error));
    constexpr std::uint32_t writable_by_others = 022;
    FileSource<E> source(env, path);
    status = source.status();  // of the opened file: the path may lead elsewhere by now
    if (status.owner != env.user() || (status.permissions & writable_by_others) != 0) {
      throw IoError(path + ": others can write this file");
    }
    const auto text = read_all(source, CheckedKeys::max_bytes);
    return {CheckedKeys::parse(text, path), {}};
  } catch (const Error& error) {
    return {{}, std::string("list of checked keys not used: ") + error.what()};
  }
}

/// Adds a key: reads the list again, appends, and replaces the file in one step (mode 0600, or
/// narrower where the old list's was; missing folders are made with mode 0700). Of two processes
/// that add at the same moment one may lose its line: that key is checked once more, nothing else.
/// @throws IoError, ResourceExhausted
template <Env E>
void add_checked_key(E& env, const std::string& path, const Digest& digest) {
  LoadedCheckedKeys list = load_checked_keys(env, path);
  // Whatever stands there and is no list of ours, or cannot be read now, is not ours to replace.
  if (!list.warning.empty()) throw IoError(list.warning);
  CheckedKeys& keys = list.keys;
  if (keys.contains(digest)) return;
  keys.insert(digest);
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos) {
    make_folders(env, path.substr(0, slash), 0700);
  }
  write_file(env, path, bytes_of(keys.format()), AtomicFile<E>::private_mode);
}

}  // namespace zkgpu::io
