// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstddef>
#include <string>

#include "cli/failure.hpp"
#include "commands/commands.hpp"
#include "files/describe.hpp"

namespace zkgpu::cli {

namespace {

/// A value of JSON as a line of text shows it. Strings may come from outside: no control
/// characters.
std::string scalar_text(const Json& value) {
  if (value.is_string()) return one_line(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.dump();
}

bool holds_numbers_only(const Json& object) {
  return std::all_of(object.begin(), object.end(), [](const Json& v) { return v.is_number(); });
}

std::string label_of(const std::string& key) {
  std::string label = key;
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

/// `points 4, at infinity 3`
std::string numbers_in_one_line(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += (text.empty() ? "" : ", ") + label_of(key) + " " + value.dump();
  }
  return text;
}

/// An object as indented lines, `key  value`, nested objects below their key.
std::string render_lines(const Json& object, std::size_t indent) {
  constexpr std::size_t key_width = 22;
  std::string text;
  const std::string margin(indent, ' ');
  for (const auto& [key, value] : object.items()) {
    std::string label = label_of(key);
    const bool one_line_object = value.is_object() && holds_numbers_only(value);
    if (value.is_object() && !one_line_object) {
      text += margin + label + "\n" + render_lines(value, indent + 2);
    } else if (value.is_array()) {
      text += margin + label + ": " + std::to_string(value.size()) + "\n";
      std::size_t number = 1;
      for (const Json& item : value) {
        text += margin + "  " + std::to_string(number++) + "\n" + render_lines(item, indent + 4);
      }
    } else {
      const std::size_t width = key_width > indent ? key_width - indent : 0;
      label.resize(std::max(width, label.size() + 1), ' ');
      text += margin + label + (one_line_object ? numbers_in_one_line(value) : scalar_text(value)) +
              "\n";
    }
  }
  return text;
}

}  // namespace

int info(Session& session, const InfoOptions& options) {
  const Description description = describe_file(session, options.file, options.keys);
  Json result{{"command", "info"}, {"file", options.file}, {"kind", description.kind}};
  result.update(description.facts);
  const std::string heading = one_line(options.file) + ": " + description.kind + "\n";
  session.finish(heading + render_lines(description.facts, 2), result);
  return exit_success;
}

}  // namespace zkgpu::cli
