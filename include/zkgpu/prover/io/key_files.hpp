// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>

namespace zkgpu::io {

/// How a key file is loaded.
struct KeyLoading {
  /// File of the list of checked keys; empty: every key is checked, and none is noted.
  std::string checked_keys_path;
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
/// @throws as read_params
template <Curve C, Env E>
ParamsFile<C> load_params(E& env, const std::string& path, const KeyLoading& loading) {
  return detail::load_key(env, path, loading, [](ByteSource& source, const KeyReading& reading) {
    return read_params<C>(source, reading);
  });
}

}  // namespace zkgpu::io
