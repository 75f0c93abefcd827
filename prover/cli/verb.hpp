// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "cli/options.hpp"
#include "commands/commands.hpp"
#include "files/keys.hpp"

/// What the verbs' options have in common.
namespace zkgpu::cli {

inline CLI::Option* add_path(CLI::App& app, const char* name, std::string& path, const char* what) {
  return app.add_option(name, path, what)->required()->check([](const std::string& value) {
    return value.empty() ? std::string("must not be empty") : std::string();
  });
}

/// Says what is allowed, whatever is wrong with the value.
inline CLI::Validator whole_number(std::size_t least, std::size_t most) {
  const CLI::Range range(least, most);
  return CLI::Validator("").operation([=](std::string& value) {
    const bool digits = value.find_first_not_of("0123456789") == std::string::npos;
    if (digits && range(value).empty()) return std::string();
    return "'" + value + "' is not a whole number from " + std::to_string(least) + " to " +
           std::to_string(most);
  });
}

inline void add_common(CLI::App& app, CommonOptions& common) {
  constexpr std::size_t max_threads = 4096;
  app.add_option("--threads", common.threads, "Use at most N threads (default: all cores)")
      ->type_name("N")
      ->check(whole_number(1, max_threads));
  app.add_flag("-v,--verbose", common.verbose, "Tell every step and its time, on standard error");
  app.add_flag("--json", common.json, "Results and errors as JSON objects, no progress bar");
}

inline void add_key_options(CLI::App& app, KeyOptions& keys) {
  app.add_option("--checked-keys", keys.checked_keys,
                 "The list of keys already checked; 'none': check every key\n"
                 "(default: $XDG_STATE_HOME/zkgpu/checked-keys, or below ~/.local/state)")
      ->type_name("FILE");
  app.add_flag("--allow-insecure-key", keys.allow_insecure_key,
               "For tests only: accept a key that anyone can forge proofs for");
}

inline void add_key_cache_option(CLI::App& app, KeyOptions& keys) {
  app.add_option("--key-cache", keys.key_cache,
                 "A folder for the decoded points of .params files: the first run writes them,\n"
                 "later ones load them faster. As large as the keys")
      ->type_name("FOLDER")
      ->check([](const std::string& folder) {
        return folder.empty() ? std::string("must not be empty") : std::string();
      });
}

inline void add_device_option(CLI::App& app, std::string& device) {
  app.add_option("--device", device,
                 "Where to prove: cpu, auto (a GPU for circuits from 2^18 on, if there is\n"
                 "one), or a GPU by its number, name or UUID")
      ->type_name("NAME")
      ->check([](const std::string& name) {
        return name.empty() ? std::string("no device") : std::string();
      });
}

/// The test hook of both scalars of a proof; `take` is called when they are given.
template <class Take>
void add_blinding_options(CLI::App& app, const std::shared_ptr<ChosenBlinding>& chosen,
                          const Take& take) {
  CLI::Option* r = app.add_option("--insecure-r", chosen->r,
                                  "For tests only, with --insecure-s: the scalar r, decimal.\n"
                                  "Proofs with known r and s do not hide their witness")
                       ->type_name("R");
  CLI::Option* s = app.add_option("--insecure-s", chosen->s,
                                  "For tests only, with --insecure-r: the scalar s, decimal")
                       ->type_name("S");
  r->needs(s);
  s->needs(r);
  app.parse_complete_callback([r, take] {
    if (r->count() != 0) take();
  });
}

/// One verb: its options live as long as its function.
template <class Options>
CLI::App& add_verb(CLI::App& app, Invocation& invocation, const char* name, std::string_view text,
                   const std::shared_ptr<Options>& options,
                   int (*command)(Session&, const Options&)) {
  CLI::App* verb = app.add_subcommand(name, std::string(text))->group("Verbs");
  verb->get_help_ptr()->description("This text");
  add_common(*verb, invocation.common);
  verb->callback([&invocation, options, command] {
    invocation.run = [options, command](Session& session) { return command(session, *options); };
  });
  return *verb;
}

}  // namespace zkgpu::cli
