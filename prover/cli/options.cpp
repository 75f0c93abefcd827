// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "cli/options.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/aliases.hpp"
#include "cli/formatter.hpp"
#include "cli/help.hpp"
#include "cli/verb.hpp"
#include "commands/commands.hpp"
#include "porep/options.hpp"

namespace zkgpu::cli {

namespace {

void add_prove(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ProveOptions>();
  const auto chosen = std::make_shared<ChosenBlinding>();
  CLI::App& verb = add_verb(app, invocation, "prove", help::prove, options, prove);
  add_path(verb, "KEY", options->key, "The proving key");
  add_path(verb, "WITNESS", options->witness, "The witness");
  add_path(verb, "PROOF", options->proof, "The proof to write");
  add_path(verb, "PUBLIC", options->public_values, "The public values to write");
  verb.add_option("--r1cs", options->r1cs, "Check the witness against this circuit first")
      ->type_name("FILE");
  add_key_options(verb, options->keys);
  add_key_cache_option(verb, options->keys);
  add_device_option(verb, options->device);
  add_blinding_options(verb, chosen, [options, chosen] { options->blinding = *chosen; });
  verb.footer(std::string(help::prove_footer));
}

void add_verify(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& verb = add_verb(app, invocation, "verify", help::verify, options, verify);
  add_path(verb, "VK", options->key, "The verifying key");
  add_path(verb, "PUBLIC", options->public_values, "The public values");
  add_path(verb, "PROOF", options->proof, "The proof");
  add_key_options(verb, options->keys);
}

void add_setup(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<SetupOptions>();
  CLI::App& verb = add_verb(app, invocation, "setup", help::setup, options, setup);
  add_path(verb, "R1CS", options->r1cs, "The circuit");
  add_path(verb, "KEY", options->key, "The proving key to write");
}

void add_check(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& verb = add_verb(app, invocation, "check", help::check, options, check);
  add_path(verb, "R1CS", options->r1cs, "The circuit");
  add_path(verb, "WITNESS", options->witness, "The witness");
}

void add_info(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App& verb = add_verb(app, invocation, "info", help::info, options, info);
  add_path(verb, "FILE", options->file, "The file");
  add_key_options(verb, options->keys);
}

void add_export(CLI::App& app, Invocation& invocation) {
  CLI::App* group = app.add_subcommand("export", "Takes a part out of a key: export vk KEY OUT");
  group->group("Verbs");
  group->require_subcommand(1);
  const auto options = std::make_shared<ExportVkOptions>();
  CLI::App& verb = add_verb(*group, invocation, "vk", help::export_vk, options, export_vk);
  add_path(verb, "KEY", options->key, "The key");
  add_path(verb, "OUT", options->out, "The verifying key to write");
  add_key_options(verb, options->keys);
}

void add_convert(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App& verb = add_verb(app, invocation, "convert", help::convert, options, convert);
  add_path(verb, "IN", options->in, "The file to read");
  add_path(verb, "OUT", options->out, "The file to write");
  add_key_options(verb, options->keys);
}

void add_example(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ExampleOptions>();
  CLI::App& verb = add_verb(app, invocation, "example", help::example, options, example);
  verb.add_option_function<std::string>(
          "CIRCUIT",
          [options](const std::string& name) {
            options->circuit =
                name == "bits" ? ExampleOptions::Circuit::bits : ExampleOptions::Circuit::chain;
          },
          "chain or bits")
      ->required()
      ->check([](const std::string& name) {
        if (name == "chain" || name == "bits") return std::string();
        return "no circuit '" + name + "'; there are: chain, bits";
      });
  verb.add_option("--log-constraints", options->log_constraints,
                  "About 2^K constraints (" + std::to_string(ExampleOptions::min_log) + " to " +
                      std::to_string(ExampleOptions::max_log) + "), a domain of 2^K")
      ->type_name("K")
      ->required()
      ->check(whole_number(ExampleOptions::min_log, ExampleOptions::max_log));
  add_path(verb, "FOLDER", options->folder, "Where to write; made if missing, with those above it");
  verb.footer(std::string(help::example_footer));
}

Invocation print(std::string text) {
  Invocation invocation;
  invocation.run = [text = std::move(text)](Session&) {
    write_stdout(text);
    return exit_success;
  };
  return invocation;
}

/// The verb as far as it was understood.
const CLI::App& deepest(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

/// `zkgpu export vk`
std::string name_of(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  return name;
}

/// `zkgpu help`, `zkgpu help VERB`, `zkgpu -h VERB`: the words of the verb, or nothing when the
/// command line is no such question.
std::optional<std::vector<std::string>> help_asked(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return std::nullopt;
  const std::string& first = arguments.front();
  if (first != "help" && first != "-h" && first != "--help") return std::nullopt;
  std::vector<std::string> words;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with('-')) words.push_back(arguments[i]);
  }
  return replace_alias(std::move(words));
}

/// The help of the program, or of the verb that these words begin with.
/// @throws InvalidArgument if there is no such verb
Invocation print_help(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string path;
  for (const std::string& word : words) {
    const auto verbs = at->get_subcommands(std::function<bool(const CLI::App*)>());
    if (verbs.empty()) break;  // the arguments of the verb
    const auto verb = std::find_if(verbs.begin(), verbs.end(),
                                   [&](const CLI::App* one) { return one->get_name() == word; });
    if (verb == verbs.end()) {
      throw InvalidArgument("no verb '" + word + "' (see '" + app.get_name() + " --help')");
    }
    path += (path.empty() ? "" : " ") + at->get_name();
    at = *verb;
  }
  return print(at->help(path));
}

/// CLI11 says only that there is no verb, also when there is one that it does not know.
std::string what_about_the_verb(const CLI::App& app) {
  for (const std::string& argument : app.remaining()) {
    return (argument.starts_with('-') ? "no option '" : "no verb '") + argument + "'";
  }
  return "no verb";
}

}  // namespace

bool asks_for_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* argument) { return std::string_view(argument) == "--json"; });
}

Invocation parse(int argc, const char* const* argv) {
  Invocation invocation;
  CLI::App app(std::string(help::program), "zkgpu");
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_help_ptr()->description("This text, or that of a verb");
  app.set_version_flag("--version", std::string("zkgpu ") + ZKGPU_VERSION, "The version");
  app.require_subcommand(1);
  add_common(app, invocation.common);
  for (const auto add : {add_prove, add_verify, add_setup, add_check, add_info, add_export,
                         add_convert, add_example, add_porep}) {
    add(app, invocation);
  }
  app.footer(std::string(help::program_footer));  // last: a verb inherits what is there before it
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (const auto words = help_asked(arguments)) return print_help(app, *words);
  arguments = replace_alias(std::move(arguments));
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    const std::string name = name_of(app);  // CLI11 appends the last word itself
    const std::size_t space = name.rfind(' ');
    return print(deepest(app).help(space == std::string::npos ? "" : name.substr(0, space)));
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    if (app.get_subcommands().empty()) what = what_about_the_verb(app);
    throw InvalidArgument(what + " (see '" + name_of(app) + " --help')");
  }
  return invocation;
}

}  // namespace zkgpu::cli
