// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <zkgpu/core/array.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>

namespace zkgpu::io {

/// Bytes of known number that can be read at any offset, by several threads at once.
///
/// Readers ask for pieces of at least kilobytes, so the virtual call costs nothing measurable, and
/// a parser is compiled once for files, memory and the tests' faulty files.
class ByteSource {
 public:
  ByteSource(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Path, or what stands for one; used in messages.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Fills `out` from `offset`. The caller has proved that offset + out.size() <= size().
  /// @throws IoError
  virtual void read(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Called when all has been read. @throws IoError if the bytes changed since the source was
  /// opened
  virtual void expect_unchanged() {}

  /// Asked before an allocation that the content decides. @throws std::bad_alloc to refuse it
  virtual void admit_memory(std::size_t) {}

 protected:
  std::string name_;
  std::uint64_t size_;
};

/// Bytes in memory, which the caller keeps alive.
class SpanSource final : public ByteSource {
 public:
  SpanSource(std::span<const std::byte> bytes, std::string name)
      : ByteSource(std::move(name), bytes.size()), bytes_(bytes) {}
  void read(std::uint64_t offset, std::span<std::byte> out) override {
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::span<const std::byte> bytes_;
};

/// A regular file, read with pread: a file that shrinks gives an error, never a signal.
template <Env E>
class FileSource final : public ByteSource {
 public:
  /// @throws IoError when the path cannot be opened or is no regular file
  FileSource(E& env, const std::string& path) : ByteSource(path, 0), env_(&env) {
    SystemResult opened = env.open_read(path.c_str());
    while (opened.interrupted()) opened = env.open_read(path.c_str());
    if (opened.failed()) {
      throw IoError(path + ": cannot open for reading: " + system_message(opened.error));
    }
    fd_ = static_cast<int>(opened.value);
    try {
      status_ = current_status();
      if (!status_.regular) throw IoError(path + ": not a regular file");
    } catch (...) {
      env.close(fd_);  // a destructor does not run for a constructor that throws
      throw;
    }
    size_ = status_.size_bytes;
  }
  ~FileSource() override { env_->close(fd_); }

  void read(std::uint64_t offset, std::span<std::byte> out) override {
    read_exactly(*env_, fd_, name_, offset, out);
  }
  void expect_unchanged() override {
    if (!(current_status() == status_)) throw IoError(name_ + ": changed while being read");
  }
  void admit_memory(std::size_t n) override { env_->admit_memory(n); }
  /// As it was when the file was opened.
  [[nodiscard]] const FileStatus& status() const noexcept { return status_; }

 private:
  FileStatus current_status() {
    FileStatus status;
    const SystemResult got = env_->status(fd_, status);
    if (got.failed()) throw IoError(name_ + ": cannot stat: " + system_message(got.error));
    return status;
  }
  E* env_;
  int fd_ = -1;
  FileStatus status_;
};

/// A whole source in memory.
///
/// @param limit_bytes  a larger source is refused unread
/// @throws Malformed when it is larger, IoError
inline Array<std::byte> read_all(ByteSource& source, std::uint64_t limit_bytes) {
  if (source.size() > limit_bytes) {
    throw Malformed({source.name(), "", limit_bytes},
                    "the file has " + std::to_string(source.size()) + " bytes, the limit is " +
                        std::to_string(limit_bytes));
  }
  auto bytes = allocate_array<std::byte>(source, static_cast<std::size_t>(source.size()));
  source.read(0, bytes);
  source.expect_unchanged();
  return bytes;
}

/// A whole small file in memory. @throws as read_all and FileSource
template <Env E>
Array<std::byte> read_file(E& env, const std::string& path, std::uint64_t limit_bytes) {
  FileSource<E> source(env, path);
  return read_all(source, limit_bytes);
}

}  // namespace zkgpu::io
