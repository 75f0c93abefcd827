// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>

namespace zkgpu::cli {

/// --help as our texts want it: usage first, then the text of the verb, which tells its
/// positionals, then the options; of a verb in a list only the first line.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(26); }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = "usage: " + name;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) text += " " + option->get_name();
    }
    text += app->get_subcommands({}).empty() ? " [OPTIONS]" : " VERB ...";
    text += "\n\n" + app->get_description() + "\n";
    return text + make_subcommands(app, mode) + make_groups(app, mode) + app->get_footer();
  }

  std::string make_subcommand(const CLI::App* sub) const override {
    const std::string& text = sub->get_description();
    return row(sub->get_name(), text.substr(0, text.find('\n')));
  }

  /// Ranges, "REQUIRED" and "Needs" are said in words where they matter.
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }

 private:
  [[nodiscard]] std::string row(const std::string& name, const std::string& text) const {
    std::string line = "  " + name;
    line.resize(std::max(line.size() + 1, get_column_width()), ' ');
    return line + text + "\n";
  }
};

}  // namespace zkgpu::cli
