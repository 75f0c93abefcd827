// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>
#include <zkgpu/prover/io/key_cache/key_cache.hpp>

namespace zkgpu::io {

/// How a key file is loaded.
struct KeyLoading {
  /// File of the list of checked keys; empty: every key is checked, and none is noted.
  std::string checked_keys_path;
  /// Folder of decoded keys of `.params` files, made if it is not there; empty: none.
  std::string key_cache_folder = {};
  bool allow_insecure = false;  ///< for tests only, see KeyReading
  ProgressObserver* observer = nullptr;
};

namespace detail {

/// Reads a key with the list of checked keys before, and notes it there after.
template <Env E, class Read>
auto load_key(E& env, const std::string& path, const KeyLoading& loading, const Read& read) {
  const bool uses_list = !loading.checked_keys_path.empty();
  LoadedCheckedKeys list;
  if (uses_list) list = load_checked_keys(env, loading.checked_keys_path);
  EnvRandom<E> random(env);
  FileSource<E> source(env, path);
  auto file = read(source, KeyReading{.random = &random,
                                      .checked = uses_list ? &list.keys : nullptr,
                                      .allow_insecure = loading.allow_insecure,
                                      .observer = loading.observer});
  if (!list.warning.empty()) file.report.warnings.push_back(list.warning);
  if (uses_list && !file.report.was_listed) {
    try {
      add_checked_key(env, loading.checked_keys_path, file.report.digest);
    } catch (const Error& error) {  // the key is good all the same
      file.report.warnings.push_back(std::string("key not noted as checked: ") + error.what());
    }
  }
  return file;
}

/// A `.params` file by its beginning.
struct CachedParams {
  KeyCacheSource of;
  FileStatus status;
};

/// An end of the process, or a bug: nothing that another way around would help.
inline bool is_of_the_process(const Error& error) noexcept {
  return error.kind() == ErrorKind::cancelled || error.kind() == ErrorKind::internal;
}

constexpr bool is_newer(const FileStatus& a, const FileStatus& b) noexcept {
  if (a.modified_seconds != b.modified_seconds) return a.modified_seconds > b.modified_seconds;
  return a.modified_nanoseconds > b.modified_nanoseconds;
}

/// The decoded key in place of a `.params` file, if there is one that can be used.
/// @param why_not  why it cannot, if it is there
template <Curve C, Env E>
std::optional<ParamsFile<C>> read_cached_params(E& env, const std::string& path,
                                                const CachedParams& params,
                                                const KeyLoading& loading, std::string& why_not) {
  FileStatus status;
  const SystemResult found = env.status_of_path(path.c_str(), status);
  if (found.failed() && (found.error == ENOENT || found.error == ENOTDIR)) return std::nullopt;
  try {
    const LoadedCheckedKeys list = load_checked_keys(env, loading.checked_keys_path);
    FileSource<E> source(env, path);
    if (is_newer(params.status, source.status())) {
      throw InvalidArgument(path + ": older than the .params file, which may be another by now");
    }
    ParamsFile<C> file = read_key_cache<C>(source, params.of,
                                           {.checked = &list.keys,
                                            .allow_insecure = loading.allow_insecure,
                                            .observer = loading.observer});
    file.report.cache = KeyCacheUse::read;
    return file;
  } catch (const Error& error) {
    // What stops this would stop the other way too.
    if (error.kind() == ErrorKind::resource_exhausted || is_of_the_process(error)) throw;
    why_not = error.what();
    return std::nullopt;
  }
}

/// Writes the decoded key, then has it believed. @throws IoError, ResourceExhausted
template <Curve C, Env E>
void keep_decoded(E& env, const std::string& path, const ParamsFile<C>& file,
                  const KeyLoading& loading) {
  const LoadedCheckedKeys list = load_checked_keys(env, loading.checked_keys_path);
  if (!list.warning.empty()) throw IoError(list.warning);  // before gigabytes are written
  make_folders(env, loading.key_cache_folder, 0777);
  AtomicFile<E> out(env, path, AtomicFile<E>::public_mode, AtomicFile<E>::Links::replace);
  const Digest digest = write_key_cache<C>(out, file, loading.observer);
  out.commit();
  add_checked_key(env, loading.checked_keys_path, digest);
}

}  // namespace detail

/// Loads a proving key from a `.zkey` file: checked, or listed as checked before.
/// @throws as read_zkey
template <Curve C, Env E>
ZkeyFile<C> load_zkey(E& env, const std::string& path, const KeyLoading& loading) {
  return detail::load_key(env, path, loading, [](ByteSource& source, const KeyReading& reading) {
    return read_zkey<C>(source, reading);
  });
}

/// Loads a proving key from a bellman `.params` file: checked, or listed as checked before.
///
/// With a folder of decoded keys: from the decoded key there, of which then only the beginning of
/// `path` is read, and whose tail of a ceremony is not in the result. Where there is none, or one
/// that cannot be used or is older than `path`, `path` is read, and the decoded key is written
/// (again); what was wrong is a warning. Nothing that happens to the decoded key is an error but
/// the want of memory.
/// @throws as read_params; InvalidArgument for a folder of decoded keys without a list
template <Curve C, Env E>
ParamsFile<C> load_params(E& env, const std::string& path, const KeyLoading& loading) {
  const auto load = [&] {
    return detail::load_key(env, path, loading, [](ByteSource& source, const KeyReading& reading) {
      return read_params<C>(source, reading);
    });
  };
  if (loading.key_cache_folder.empty()) return load();
  if (loading.checked_keys_path.empty()) {
    throw InvalidArgument(path + ": a decoded key is believed by the list of checked keys: none");
  }
  detail::CachedParams params;
  {
    FileSource<E> source(env, path);
    params = {key_cache_source(source), source.status()};
  }
  const std::string cache = key_cache_path(loading.key_cache_folder, params.of);
  std::string why_not;
  if (auto cached = detail::read_cached_params<C>(env, cache, params, loading, why_not)) {
    return *std::move(cached);
  }
  ParamsFile<C> file = load();
  if (!why_not.empty()) {
    file.report.warnings.push_back("decoded key not used, made again: " + why_not);
  }
  try {
    detail::keep_decoded(env, cache, file, loading);
    file.report.cache = KeyCacheUse::written;
  } catch (const Error& error) {  // the key is good all the same
    if (detail::is_of_the_process(error)) throw;
    file.report.warnings.push_back(std::string("decoded key not kept: ") + error.what());
  }
  return file;
}

}  // namespace zkgpu::io
