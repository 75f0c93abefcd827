// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/options.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "cli/verb.hpp"
#include "porep/commands/commands.hpp"
#include "porep/help.hpp"

namespace zkgpu::cli {

namespace {

constexpr const char* sizes =
    "2KiB, 8MiB, 512MiB, 32GiB, 64GiB; for tests also 4KiB, 16KiB,\n"
    "32KiB, 16MiB, 1GiB";

CLI::Option* add_size(CLI::App& app, std::string& size) {
  return app.add_option("--sector-size", size, sizes)->type_name("SIZE");
}

void add_official(CLI::App& app, bool& official) {
  app.add_flag("--official", official,
               "Refuse parameters that are not the network's, by their BLAKE2b digest");
}

void add_number(CLI::App& app, const char* name, std::uint64_t& number, const char* what) {
  app.add_option(name, number, what)
      ->type_name("N")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

void add_digest(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<PorepDigestOptions>();
  CLI::App& verb = add_verb(app, invocation, "digest", help::porep_digest, options, porep_digest);
  add_size(verb, options->sector_size)->required();
  verb.add_flag("--checkpoints", options->checkpoints,
                "Also the digest after the commitments and after each challenge");
}

void add_seal(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<PorepSealOptions>();
  CLI::App& verb = add_verb(app, invocation, "seal", help::porep_seal, options, porep_seal);
  add_path(verb, "OUT", options->out, "The C1 file to write");
  CLI::Option* size = add_size(verb, options->kind.sector_size);
  CLI::Option* proof = verb.add_option("--proof", options->kind.proof,
                                       "The registered proof (default: StackedDrg<SIZE>V1_1)")
                           ->type_name("NAME");
  size->excludes(proof);
  verb.add_option("--form", options->form, "json, wrapper or bincode")
      ->type_name("FORM")
      ->check([](const std::string& form) {
        if (form == "json" || form == "wrapper" || form == "bincode") return std::string();
        return "no form '" + form + "'; there are: json, wrapper, bincode";
      });
  verb.add_option("--statement", options->statement, "Also write what the seal claims, for verify")
      ->type_name("FILE");
  verb.add_option("--data", options->data, "The sector's data (default: zeros, also behind it)")
      ->type_name("FILE");
  add_number(verb, "--miner", options->miner, "The miner f0N (default: 1000)");
  add_number(verb, "--sector", options->sector, "The number of the sector (default: 1)");
  verb.add_option("--ticket", options->ticket, "32 bytes of randomness (default: 01 each)")
      ->type_name("HEX");
  verb.add_option("--seed", options->seed, "32 bytes of randomness (default: 02 each)")
      ->type_name("HEX");
  verb.add_option("--porep-id", options->porep_id,
                  "32 bytes in place of the registered proof's; written as bincode only")
      ->type_name("HEX");
  verb.add_flag("--synthetic", options->invented,
                "Invent the output instead of sealing; for every size");
  verb.parse_complete_callback([size, proof] {
    if (size->count() + proof->count() == 0) {
      throw CLI::RequiredError("--sector-size or --proof");
    }
  });
}

void add_setup(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<PorepSetupOptions>();
  const auto chosen = std::make_shared<ChosenWaste>();
  CLI::App& verb = add_verb(app, invocation, "setup", help::porep_setup, options, porep_setup);
  add_path(verb, "FOLDER", options->folder, "Where to write");
  add_size(verb, options->sector_size)->required();
  CLI::Option* first = nullptr;
  CLI::Option* previous = nullptr;
  const std::pair<const char*, std::string*> scalars[] = {{"--insecure-tau", &chosen->tau},
                                                          {"--insecure-alpha", &chosen->alpha},
                                                          {"--insecure-beta", &chosen->beta},
                                                          {"--insecure-gamma", &chosen->gamma},
                                                          {"--insecure-delta", &chosen->delta}};
  for (const auto& [name, value] : scalars) {
    CLI::Option* option =
        verb.add_option(name, *value, "For tests only, all five: the key's secret, decimal")
            ->type_name("S");
    if (previous != nullptr) option->needs(previous);
    if (first == nullptr) first = option;
    previous = option;
  }
  first->needs(previous);
  verb.parse_complete_callback([options, chosen, first] {
    if (first->count() != 0) options->waste = *chosen;
  });
}

void add_c2(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<PorepProveOptions>();
  const auto chosen = std::make_shared<ChosenBlinding>();
  CLI::App& verb = add_verb(app, invocation, "c2", help::porep_c2, options, porep_c2);
  add_path(verb, "--c1", options->c1, "The output of commit phase 1")->type_name("FILE");
  add_path(verb, "-o,--out", options->proof_out, "The proof to write")->type_name("FILE");
  verb.add_option("--params", options->params, "The parameters, or their folder")
      ->type_name("PATH");
  verb.add_option("--vk", options->vk, "Their verifying key, to be compared, or its folder")
      ->type_name("PATH");
  verb.add_option("--proof", options->proof,
                  "The registered proof; of bincode, which does not say\n"
                  "(default: StackedDrg<SIZE>V1_1, or V1_2_Feat_NonInteractivePoRep)")
      ->type_name("NAME");
  verb.add_option("--statement", options->statement,
                  "What the seal is to claim: refuse a C1 file of any other")
      ->type_name("FILE");
  verb.add_option("--porep-id", options->porep_id,
                  "32 bytes in place of the registered proof's; of bincode, as `seal` writes it")
      ->type_name("HEX");
  add_official(verb, options->official);
  add_key_options(verb, options->keys);
  add_key_cache_option(verb, options->keys);
  add_device_option(verb, options->device);
  add_blinding_options(verb, chosen, [options, chosen] { options->blinding = *chosen; });
  verb.footer(std::string(help::porep_c2_footer));
}

/// What verify and export take alike.
template <class Options>
void add_seal_options(CLI::App& verb, Options& options) {
  add_path(verb, "--statement", options.statement, "What the seal claims")->type_name("FILE");
  add_path(verb, "--proof", options.proof, "The proof, 192 bytes a partition")->type_name("FILE");
  verb.add_option("--vk", options.vk,
                  "The verifying key, or its folder (default: that of the network's files)")
      ->type_name("PATH");
  add_official(verb, options.official);
  add_key_options(verb, options.keys);
}

void add_verify(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<PorepVerifyOptions>();
  CLI::App& verb = add_verb(app, invocation, "verify", help::porep_verify, options, porep_verify);
  add_seal_options(verb, *options);
}

void add_export(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<PorepExportOptions>();
  CLI::App& verb = add_verb(app, invocation, "export", help::porep_export, options, porep_export);
  add_path(verb, "FOLDER", options->folder, "Where to write");
  add_seal_options(verb, *options);
}

}  // namespace

void add_porep(CLI::App& app, Invocation& invocation) {
  CLI::App* group = app.add_subcommand("porep", std::string(help::porep));
  group->group("Verbs");
  group->require_subcommand(1);
  for (const auto add : {add_digest, add_seal, add_setup, add_c2, add_verify, add_export}) {
    add(*group, invocation);
  }
}

}  // namespace zkgpu::cli
