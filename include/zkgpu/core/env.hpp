// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>

/// The door to the operating system: files, memory that outside data asks for, random bytes, time.
///
/// Everything the library wants from the system goes through an `Env`. `RealEnv` is one inline
/// system call a function and costs nothing; a test's environment fails, shortens or corrupts the
/// i-th call. The functions of an `Env` are thin on purpose: loops over short reads and interrupted
/// calls stand above them (`read_exactly`, `write_all`, `fill_random`), so that a test can drive
/// those too.
namespace zkgpu {

/// What a system call gave: its value, or the error number when the value is negative.
struct SystemResult {
  std::int64_t value = 0;
  int error = 0;
  [[nodiscard]] constexpr bool failed() const noexcept { return value < 0; }
  [[nodiscard]] constexpr bool interrupted() const noexcept { return failed() && error == EINTR; }
};

/// Takes the error number of a failed call.
inline SystemResult system_result(std::int64_t value) noexcept {
  return {value, value < 0 ? errno : 0};
}

/// What a file is, as far as a reader must know it. Equal before and after: the file did not
/// change.
struct FileStatus {
  bool regular = false;
  bool directory = false;
  std::uint32_t permissions = 0;  ///< the lowest twelve bits of the mode
  std::uint32_t owner = 0;        ///< user id
  std::uint64_t size_bytes = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t modified_seconds = 0;
  std::int64_t modified_nanoseconds = 0;
  friend bool operator==(const FileStatus&, const FileStatus&) = default;
};

using SteadyTime = std::chrono::steady_clock::time_point;

/// Laws: a call that fails changes nothing; `open_*` return a descriptor that `close` ends;
/// `read_at` and `write_some` may do less than asked, `read_at` gives 0 only at the end of the
/// file; `random` comes from the kernel's generator; `now` never goes back; `admit_memory` is asked
/// before each allocation whose size outside data decides, and throws std::bad_alloc to refuse it.
template <class E>
concept Env = requires(E& env, const char* path, int fd, std::byte* to, const std::byte* from,
                       std::size_t n, std::uint64_t offset, unsigned mode, FileStatus& status,
                       std::string& text) {
  { env.open_read(path) } -> std::same_as<SystemResult>;
  { env.open_directory(path) } -> std::same_as<SystemResult>;
  { env.open_new(path, mode) } -> std::same_as<SystemResult>;
  { env.status(fd, status) } -> std::same_as<SystemResult>;
  { env.status_of_path(path, status) } -> std::same_as<SystemResult>;
  { env.real_path(path, text) } -> std::same_as<SystemResult>;
  { env.read_link(path, text) } -> std::same_as<SystemResult>;
  { env.set_permissions(fd, mode) } -> std::same_as<SystemResult>;
  { env.read_at(fd, to, n, offset) } -> std::same_as<SystemResult>;
  { env.write_some(fd, from, n) } -> std::same_as<SystemResult>;
  { env.sync(fd) } -> std::same_as<SystemResult>;
  { env.close(fd) } -> std::same_as<SystemResult>;
  { env.rename(path, path) } -> std::same_as<SystemResult>;
  { env.remove(path) } -> std::same_as<SystemResult>;
  { env.make_directory(path, mode) } -> std::same_as<SystemResult>;
  { env.random(to, n) } -> std::same_as<SystemResult>;
  { env.now() } -> std::same_as<SteadyTime>;
  { env.user() } -> std::same_as<std::uint32_t>;
  env.admit_memory(n);
};

/// The operating system itself.
struct RealEnv {
  /// O_NONBLOCK: opening a FIFO that nobody writes returns at once, and is then refused as
  /// irregular.
  SystemResult open_read(const char* path) const noexcept {
    return system_result(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  }
  SystemResult open_directory(const char* path) const noexcept {
    return system_result(::open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  }
  /// Fails if the path exists, be it as a dangling link.
  SystemResult open_new(const char* path, unsigned mode) const noexcept {
    return system_result(
        ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t{mode}));
  }
  SystemResult status(int fd, FileStatus& status) const noexcept {
    struct stat raw;
    const SystemResult result = system_result(::fstat(fd, &raw));
    if (!result.failed()) status = convert(raw);
    return result;
  }
  SystemResult status_of_path(const char* path, FileStatus& status) const noexcept {
    struct stat raw;
    const SystemResult result = system_result(::stat(path, &raw));
    if (!result.failed()) status = convert(raw);
    return result;
  }
  /// The path with all links followed; fails for what does not exist.
  SystemResult real_path(const char* path, std::string& resolved) const {
    char* found = ::realpath(path, nullptr);
    if (found == nullptr) return {-1, errno};
    resolved = found;
    std::free(found);
    return {0, 0};
  }
  /// What a link leads to, as it is written there; EINVAL for what is no link.
  SystemResult read_link(const char* path, std::string& to) const {
    char buffer[PATH_MAX];
    const SystemResult result = system_result(::readlink(path, buffer, sizeof buffer));
    if (!result.failed()) to.assign(buffer, static_cast<std::size_t>(result.value));
    return result;
  }
  /// Sets the lowest nine bits of an open file's mode, whatever the umask is.
  SystemResult set_permissions(int fd, unsigned mode) const noexcept {
    return system_result(::fchmod(fd, mode_t{mode}));
  }
  SystemResult read_at(int fd, std::byte* to, std::size_t n, std::uint64_t offset) const noexcept {
    return system_result(::pread(fd, to, n, static_cast<off_t>(offset)));
  }
  SystemResult write_some(int fd, const std::byte* from, std::size_t n) const noexcept {
    return system_result(::write(fd, from, n));
  }
  SystemResult sync(int fd) const noexcept { return system_result(::fsync(fd)); }
  SystemResult close(int fd) const noexcept { return system_result(::close(fd)); }
  SystemResult rename(const char* from, const char* to) const noexcept {
    return system_result(std::rename(from, to));
  }
  SystemResult remove(const char* path) const noexcept { return system_result(::unlink(path)); }
  SystemResult make_directory(const char* path, unsigned mode) const noexcept {
    return system_result(::mkdir(path, mode_t{mode}));
  }
  SystemResult random(std::byte* to, std::size_t n) const noexcept {
    return system_result(::getrandom(to, n, 0));
  }
  SteadyTime now() const noexcept { return std::chrono::steady_clock::now(); }
  std::uint32_t user() const noexcept { return ::geteuid(); }
  void admit_memory(std::size_t) const noexcept {}

 private:
  static FileStatus convert(const struct stat& raw) noexcept {
    return {.regular = S_ISREG(raw.st_mode),
            .directory = S_ISDIR(raw.st_mode),
            .permissions = static_cast<std::uint32_t>(raw.st_mode & 07777),
            .owner = raw.st_uid,
            .size_bytes = static_cast<std::uint64_t>(raw.st_size),
            .device = static_cast<std::uint64_t>(raw.st_dev),
            .inode = static_cast<std::uint64_t>(raw.st_ino),
            .modified_seconds = raw.st_mtim.tv_sec,
            .modified_nanoseconds = raw.st_mtim.tv_nsec};
  }
};

static_assert(Env<RealEnv>);

/// The system's sentence for an error number ("No such file or directory").
inline std::string system_message(int error) {
  char text[256] = {};
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
  return strerror_r(error, text, sizeof text);
#else
  return strerror_r(error, text, sizeof text) == 0 ? std::string(text) : std::to_string(error);
#endif
}

/// Fills `out` from the kernel's generator.
/// @throws IoError when the generator fails; nothing weaker takes its place
template <Env E>
void fill_random(E& env, std::span<std::byte> out) {
  while (!out.empty()) {
    const SystemResult got = env.random(out.data(), out.size());
    if (got.interrupted()) continue;
    if (got.failed()) throw IoError("random generator: " + system_message(got.error));
    if (got.value == 0 || static_cast<std::uint64_t>(got.value) > out.size()) {
      throw IoError("random generator: gave no bytes");
    }
    out = out.subspan(static_cast<std::size_t>(got.value));
  }
}

/// Reads until `out` is full.
/// @throws IoError naming the path: on a failed read, or when the file ends early
template <Env E>
void read_exactly(E& env, int fd, const std::string& path, std::uint64_t offset,
                  std::span<std::byte> out) {
  while (!out.empty()) {
    const std::size_t ask = out.size() < std::size_t{SSIZE_MAX} ? out.size() : SSIZE_MAX;
    const SystemResult got = env.read_at(fd, out.data(), ask, offset);
    if (got.interrupted()) continue;
    if (got.failed()) {
      throw IoError(path + ": cannot read at byte " + std::to_string(offset) + ": " +
                    system_message(got.error));
    }
    const auto n = static_cast<std::size_t>(got.value);
    if (n == 0 || n > out.size()) {
      throw IoError(path + ": ends at byte " + std::to_string(offset) +
                    ", earlier than its size said: it was truncated while being read");
    }
    offset += n;
    out = out.subspan(n);
  }
}

/// Writes all of `bytes` at the descriptor's position.
/// @throws ResourceExhausted when the disk or a quota is full, IoError otherwise; both name the
/// path
template <Env E>
void write_all(E& env, int fd, const std::string& path, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const SystemResult got = env.write_some(fd, bytes.data(), bytes.size());
    if (got.interrupted()) continue;
    if (got.failed()) {
      const std::string message = path + ": cannot write: " + system_message(got.error);
      if (got.error == ENOSPC || got.error == EDQUOT || got.error == EFBIG) {
        throw ResourceExhausted(message);
      }
      throw IoError(message);
    }
    if (got.value == 0 || static_cast<std::uint64_t>(got.value) > bytes.size()) {
      throw IoError(path + ": cannot write: the system took no bytes");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got.value));
  }
}

}  // namespace zkgpu
