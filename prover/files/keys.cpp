// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "files/keys.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/key_files.hpp>

namespace zkgpu::cli {

namespace {

constexpr std::uint64_t max_vk_bytes =
    std::uint64_t{64} << 20;  // more than the 65,000 public values that JSON may have

}  // namespace

CheckedKeysPlace checked_keys_place(CommandEnv& env, const std::string& option) {
  if (option == "none") return {};
  if (!option.empty()) return {option, {}};
  // The XDG base directory rules: a relative path in the variable counts as not set.
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') {
    return {std::string(state) + "/zkgpu/checked-keys", {}};
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] == '\0') return {{}, "HOME is not set"};
  if (home[0] != '/') {
    return {{}, "HOME is '" + std::string(home) + "', which is no absolute path"};
  }
  FileStatus status;
  if (env.status_of_path(home, status).failed() || !status.directory) {
    return {{}, "HOME is '" + std::string(home) + "', which is no folder"};
  }
  return {std::string(home) + "/.local/state/zkgpu/checked-keys", {}};
}

void announce(Session& session, const KeyOptions& options) {
  if (!options.allow_insecure_key) return;
  session.warn_loudly("insecure keys are accepted: a valid proof may mean nothing");
}

void expect_key_cache(CommandEnv& env, const KeyOptions& options) {
  if (options.key_cache.empty()) return;
  if (options.checked_keys == "none") {
    throw InvalidArgument(
        "--key-cache: decoded keys are believed by the list of checked keys, "
        "which '--checked-keys none' turns off");
  }
  FileStatus status;
  const bool there = !env.status_of_path(options.key_cache.c_str(), status).failed();
  if (there && !status.directory) {
    throw InvalidArgument("--key-cache: '" + options.key_cache + "' is not a folder");
  }
}

std::string_view to_string(io::KeyCacheUse use) noexcept {
  switch (use) {
    case io::KeyCacheUse::none: return "none";
    case io::KeyCacheUse::read: return "read";
    case io::KeyCacheUse::written: return "written";
  }
  return "none";
}

LoadedProvingKey load_proving_key(Session& session, const std::string& path,
                                  const KeyOptions& options) {
  LoadedProvingKey loaded;
  {
    io::FileSource<CommandEnv> source(session.env(), path);
    loaded.kind = kind_of(source);
  }
  const CheckedKeysPlace list = checked_keys_place(session.env(), options.checked_keys);
  if (!list.why_not.empty()) session.say("no list of checked keys: " + list.why_not);
  std::string cache = options.key_cache;
  if (list.path.empty() && !cache.empty()) {
    session.warn("no decoded key without a list of checked keys: " + list.why_not);
    cache.clear();
  }
  const io::KeyLoading loading{.checked_keys_path = list.path,
                               .key_cache_folder = cache,
                               .allow_insecure = options.allow_insecure_key,
                               .observer = &session.progress()};
  session.timed("load key", [&] {
    const auto take = [&](FileKind kind, auto file) {
      loaded = {kind, std::move(file.key), std::move(file.report), std::move(file.ceremony)};
    };
    if (loaded.kind == FileKind::bellman_params || extension_of(path) == "params") {
      take(FileKind::bellman_params, io::load_params<Curve>(session.env(), path, loading));
    } else {  // what is no .zkey is refused by its reader, with the reason
      take(FileKind::zkey, io::load_zkey<Curve>(session.env(), path, loading));
    }
  });
  for (const std::string& warning : loaded.report.warnings) session.warn(warning);
  if (!cache.empty()) {
    session.say("decoded key: " + std::string(loaded.kind == FileKind::zkey
                                                  ? "a .zkey needs none"
                                                  : to_string(loaded.report.cache)));
  }
  return loaded;
}

LoadedVerifyingKey load_verifying_key(Session& session, const std::string& path,
                                      const KeyOptions& options) {
  LoadedVerifyingKey loaded;
  io::FileSource<CommandEnv> source(session.env(), path);
  loaded.kind = kind_of(source);
  if (loaded.kind == FileKind::zkey || loaded.kind == FileKind::bellman_params) {
    LoadedProvingKey proving = load_proving_key(session, path, options);
    loaded.full = {std::move(proving.key.vk), proving.key.beta_g1, proving.key.delta_g1};
    loaded.key = loaded.full->key;
    return loaded;
  }
  const auto bytes = io::read_all(source, max_vk_bytes);
  const bool insecure = options.allow_insecure_key;
  switch (loaded.kind) {
    case FileKind::bellman_vk:
      loaded.full = io::parse_bellman_vk<Curve>(bytes, path, insecure);
      loaded.key = loaded.full->key;
      break;
    case FileKind::gnark_vk:
      loaded.full = io::parse_gnark_vk<Curve>(bytes, path, insecure);
      loaded.key = loaded.full->key;
      break;
    case FileKind::waves_vk: loaded.key = io::parse_waves_vk<Curve>(bytes, path, insecure); break;
    case FileKind::json:
    case FileKind::unknown:  // refused by the reader of JSON, with the reason
      loaded.key = io::parse_verification_key_json<Curve>(bytes, path, insecure);
      break;
    default:
      throw Malformed({path, "", 0},
                      "not a verifying key; the file is " + std::string(to_string(loaded.kind)));
  }
  return loaded;
}

void expect_no_key_replaced(CommandEnv& env, std::span<const std::string> outputs) {
  for (const std::string& output : outputs) {
    FileStatus status;
    if (env.status_of_path(output.c_str(), status).failed() || status.size_bytes == 0) continue;
    FileKind kind = FileKind::unknown;
    try {
      io::FileSource<CommandEnv> source(env, output);
      kind = kind_of(source);
    } catch (const Error&) {  // what cannot be read cannot be told
      continue;
    }
    if (kind == FileKind::zkey || kind == FileKind::bellman_params || kind == FileKind::ptau) {
      throw InvalidArgument("output '" + output + "' is " + std::string(to_string(kind)) +
                            " already, and would be lost: remove it first");
    }
  }
}

}  // namespace zkgpu::cli
