// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>

namespace zkgpu::io {

/// Where a writer puts its bytes, front to back.
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;
  /// @throws IoError, ResourceExhausted
  virtual void write(std::span<const std::byte> bytes) = 0;
};

/// Bytes of a text, for writing.
inline std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

class MemorySink final : public ByteSink {
 public:
  void write(std::span<const std::byte> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() noexcept { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// The file that a path leads to, whether it is there or not: links are followed, one that leads
/// to nothing included. A path that is no link comes back as it is.
/// @throws IoError naming `path`
template <Env E>
std::string follow_links(E& env, const std::string& path) {
  constexpr int longest_chain = 40;  // Linux follows as many
  std::string at = path;
  for (int followed = 0;; ++followed) {
    std::string to;
    SystemResult read = env.read_link(at.c_str(), to);
    while (read.interrupted()) read = env.read_link(at.c_str(), to);
    if (read.failed() && (read.error == EINVAL || read.error == ENOENT)) return at;
    if (!read.failed() && followed == longest_chain) read = {-1, ELOOP};
    if (read.failed()) {
      throw IoError(path + ": cannot follow its links: " + system_message(read.error));
    }
    const std::size_t slash = at.rfind('/');
    const bool beside = !to.starts_with('/') && slash != std::string::npos;
    at = beside ? at.substr(0, slash + 1) + to : to;
  }
}

/// A file that appears under its name complete, or not at all.
///
/// Bytes go to a new temporary file in the same folder; `commit` syncs it, renames it over the
/// final name and syncs the folder. Without `commit` the temporary file is removed. A link is
/// followed: the file it leads to is replaced, or made when it is not there; the link stays. In a
/// folder where others may lay links, `Links::replace` puts the file in place of the link. A file
/// that is replaced hands down its permissions (not its owner, nor set-id bits), as if it had been
/// overwritten in place, if it belongs to this user; a new one, or one in place of another user's,
/// gets `mode` less the umask. Where `mode` is private, what is replaced can only narrow it. While
/// it is written it is never open to more users than either allows.
template <Env E>
class AtomicFile final : public ByteSink {
 public:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;  // writers emit small pieces
  static constexpr unsigned public_mode = 0666;                      // less the process's umask
  static constexpr unsigned private_mode = 0600;

  /// What becomes of a link under the final name.
  enum class Links { follow, replace };

  /// @throws IoError naming `path`: the folder cannot be written, or the path is no regular file
  AtomicFile(E& env, const std::string& path, unsigned mode = public_mode,
             Links links = Links::follow)
      : env_(&env), path_(path), target_(path) {
    inspect_target(links);
    if (replaced_mode_ && (mode & 077) == 0) *replaced_mode_ &= mode;
    buffer_.reserve(buffer_bytes);
    open_temporary(mode);
  }
  ~AtomicFile() override {
    if (fd_ >= 0) env_->close(fd_);
    if (!temporary_.empty()) env_->remove(temporary_.c_str());
  }

  void write(std::span<const std::byte> bytes) override {
    if (buffer_.size() + bytes.size() > buffer_bytes) flush();
    if (bytes.size() > buffer_bytes) {
      write_all(*env_, fd_, path_, bytes);
    } else {
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }
  }

  /// Makes the bytes durable under the temporary name; nothing is written after that. What is left
  /// for `commit` is a rename: so of several files none appears before all are complete.
  /// @throws IoError, ResourceExhausted
  void prepare() {
    flush();
    inherit_permissions();
    require(retry([&] { return env_->sync(fd_); }), "cannot sync");
    const SystemResult closed = env_->close(std::exchange(fd_, -1));
    if (!closed.interrupted()) require(closed, "cannot close");  // EINTR: closed all the same
  }

  /// @throws IoError, ResourceExhausted; the final name is then as it was before, unless only its
  ///   folder could not be made durable
  void commit() {
    if (fd_ >= 0) prepare();
    require(env_->rename(temporary_.c_str(), target_.c_str()),
            "cannot rename the finished file to it");
    temporary_.clear();
    renamed_ = true;
    sync_folder();
  }

  /// Takes the final name back after a commit: of several files that belong together, another's
  /// failed.
  void withdraw() noexcept {
    if (std::exchange(renamed_, false)) env_->remove(target_.c_str());
  }

 private:
  template <class Call>
  static SystemResult retry(Call call) {
    SystemResult result = call();
    while (result.interrupted()) result = call();
    return result;
  }
  void require(const SystemResult& result, const char* what) const {
    if (result.failed()) throw IoError(path_ + ": " + what + ": " + system_message(result.error));
  }
  [[nodiscard]] std::string folder() const {
    const std::size_t slash = target_.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : target_.substr(0, slash);
  }

  /// A rename would put a file in place of a device, a FIFO or a folder.
  void inspect_target(Links links) {
    if (path_.empty() || path_.back() == '/') throw IoError("'" + path_ + "': not a file name");
    if (path_.starts_with("/dev/std") || path_.starts_with("/dev/fd/")) {
      throw IoError(path_ + ": a stream, and no file that can be replaced as a whole");
    }
    if (links == Links::replace) {
      std::string to;
      if (!retry([&] { return env_->read_link(path_.c_str(), to); }).failed()) return;
    }
    FileStatus status;
    const SystemResult found = retry([&] { return env_->status_of_path(path_.c_str(), status); });
    if (!found.failed() && !status.regular) {
      throw IoError(path_ + ": exists and is not a regular file");
    }
    if (found.failed() && found.error != ENOENT) require(found, "cannot write");
    if (links == Links::follow) target_ = follow_links(*env_, path_);
    if (target_.empty() || target_.back() == '/') {
      throw IoError(path_ + ": a link to '" + target_ + "', which is not a file name");
    }
    // What another user laid there says nothing about who may read what this user writes.
    if (!found.failed() && status.owner == env_->user()) replaced_mode_ = status.permissions & 0777;
  }

  /// Some file systems have no permissions, and say EPERM; the file is then as open as all there.
  void inherit_permissions() {
    if (!replaced_mode_) return;
    const SystemResult set = retry([&] { return env_->set_permissions(fd_, *replaced_mode_); });
    if (set.failed() && set.error != EPERM && set.error != EOPNOTSUPP) {
      require(set, "cannot give the new file the permissions of the old one");
    }
  }

  void open_temporary(unsigned mode) {
    if (replaced_mode_) mode &= *replaced_mode_;
    mode |= private_mode;        // the new file must be written, whatever the old one allows
    constexpr int attempts = 8;  // names carry 64 random bits: a second attempt is already rare
    for (int attempt = 0;; ++attempt) {
      std::array<std::byte, 8> random{};
      fill_random(*env_, std::span<std::byte>(random));
      std::string name = target_ + ".";
      for (const std::byte b : random) {
        name += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
        name += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
      }
      name += ".tmp";
      const SystemResult opened = retry([&] { return env_->open_new(name.c_str(), mode); });
      if (opened.failed() && opened.error == EEXIST && attempt < attempts) continue;
      require(opened, "cannot create a temporary file beside it");
      fd_ = static_cast<int>(opened.value);
      temporary_ = std::move(name);
      return;
    }
  }

  void flush() {
    write_all(*env_, fd_, path_, buffer_);
    buffer_.clear();
  }

  /// The rename itself must survive a crash. Some file systems cannot sync a folder (EINVAL).
  void sync_folder() {
    const SystemResult opened = retry([&] { return env_->open_directory(folder().c_str()); });
    if (opened.failed()) return;  // a folder one may write but not read
    const SystemResult synced = retry([&] { return env_->sync(static_cast<int>(opened.value)); });
    env_->close(static_cast<int>(opened.value));
    if (synced.failed() && synced.error != EINVAL) require(synced, "cannot sync its folder");
  }

  E* env_;
  std::string path_;    // as the caller wrote it, for messages
  std::string target_;  // with links followed
  std::string temporary_;
  std::optional<unsigned> replaced_mode_;  // to hand down: of this user's file that is there
  int fd_ = -1;
  bool renamed_ = false;
  SecretArray<std::byte> buffer_;  // a witness may pass through
};

/// Makes a folder and those above it that are missing, with this mode less the umask.
/// @throws IoError naming the folder that cannot be made
template <Env E>
void make_folders(E& env, const std::string& folder, unsigned mode) {
  for (std::size_t end = 1; end <= folder.size(); ++end) {
    if (end != folder.size() && folder[end] != '/') continue;
    const std::string part = folder.substr(0, end);
    FileStatus status;
    if (!env.status_of_path(part.c_str(), status).failed()) continue;
    const SystemResult made = env.make_directory(part.c_str(), mode);
    if (made.failed() && made.error != EEXIST) {
      throw IoError(part + ": cannot make this folder: " + system_message(made.error));
    }
  }
}

/// Writes a whole file, complete or not at all. @throws IoError, ResourceExhausted
template <Env E>
void write_file(E& env, const std::string& path, std::span<const std::byte> bytes,
                unsigned mode = AtomicFile<E>::public_mode) {
  AtomicFile<E> file(env, path, mode);
  file.write(bytes);
  file.commit();
}

}  // namespace zkgpu::io
