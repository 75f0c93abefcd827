// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// layering ROOT RULES
//
// Reads every source below ROOT and fails on an include that rules.txt does not allow, on a word
// that stands where it must not, and on a file or folder that outgrew its limit. One line per
// offence, sorted; then one line with the counts.
#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_lines = 400;
constexpr std::size_t max_columns = 100;
constexpr std::size_t max_files = 12;  // of code, in one folder; a README does not count

using Words = std::vector<std::string>;

struct Rule {
  std::string subject;
  Words patterns;
};

struct Rules {
  std::map<std::string, Words> layers;
  std::vector<Rule> externals, nevers, words;
};

bool matches(const Words& patterns, const std::string& text) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  });
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

bool read_rules(const fs::path& path, Rules& rules) {
  std::ifstream in(path);
  if (!in) return false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto space = line.find(' ');
    const auto colon = line.rfind(" :");
    if (space == std::string::npos || colon == std::string::npos || colon < space) return false;
    const std::string kind = line.substr(0, space);
    Rule rule{trimmed(std::string_view(line).substr(space, colon - space)), {}};
    std::istringstream patterns(line.substr(colon + 2));
    for (std::string pattern; patterns >> pattern;) rule.patterns.push_back(pattern);
    if (kind == "layer") {
      rules.layers[rule.subject] = rule.patterns;
    } else if (kind == "external") {
      rules.externals.push_back(rule);
    } else if (kind == "never") {
      rules.nevers.push_back(rule);
    } else if (kind == "word") {
      rules.words.push_back(rule);
    } else {
      return false;
    }
  }
  return !rules.layers.empty();
}

/// One pass over a tree; collects offences as "file:line: what".
class Checker {
 public:
  Checker(fs::path root, const Rules& rules) : root_(std::move(root)), rules_(rules) {}

  void check_tree(const std::string& folder) {
    if (!fs::is_directory(root_ / folder)) return;
    std::map<std::string, std::size_t> files_in;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / folder)) {
      const std::string file = fs::relative(entry.path(), root_).generic_string();
      if (!entry.is_regular_file() || file.starts_with("tests/layering/samples/")) continue;
      const std::string extension = entry.path().extension().string();
      if (!matches({".hpp", ".cpp", ".cu", ".cuh", ".h"}, extension)) continue;
      ++files_in[fs::path(file).parent_path().generic_string()];
      check_file(file);
    }
    for (const auto& [name, count] : files_in) {
      if (count > max_files) {
        offend(name, 0, std::to_string(count) + " files; a folder has at most 12");
      }
    }
  }

  /// Prints what was found. @return the exit status
  int report() {
    std::sort(offences_.begin(), offences_.end());
    for (const auto& offence : offences_) std::printf("%s\n", offence.c_str());
    std::printf("%zu files, %zu includes, %zu offences\n", files_, includes_, offences_.size());
    return !offences_.empty() || files_ == 0 ? 1 : 0;
  }

 private:
  void offend(const std::string& file, std::size_t line, const std::string& what) {
    offences_.push_back(file + (line == 0 ? "" : ":" + std::to_string(line)) + ": " + what);
  }

  void check_file(const std::string& file) {
    ++files_;
    std::ifstream in(root_ / file);
    Words lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    if (lines.empty() || lines[0] != "// SPDX-License-Identifier: Apache-2.0 OR MIT") {
      offend(file, 1, "the first line is not the SPDX licence line");
    }
    const bool header = file.ends_with(".hpp") || file.ends_with(".cuh");
    if (header && std::find(lines.begin(), lines.end(), "#pragma once") == lines.end()) {
      offend(file, 2, "a header without #pragma once");
    }
    if (lines.size() > max_lines) {
      offend(file, 0, std::to_string(lines.size()) + " lines; a file has at most 400");
    }
    for (std::size_t i = 0; i < lines.size(); ++i) check_line(file, i + 1, lines[i]);
  }

  void check_line(const std::string& file, std::size_t number, const std::string& line) {
    const auto columns =
        static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        }));
    if (columns > max_columns) {
      offend(file, number, std::to_string(columns) + " columns; a line has at most 100");
    }
    const std::string text = trimmed(line);
    if (text.starts_with("#include")) {
      const auto open = text.find_first_of("<\"");
      const auto close = open == std::string::npos ? open : text.find_first_of(">\"", open + 1);
      if (close == std::string::npos) return;
      ++includes_;
      check_include(file, number, text.substr(open + 1, close - open - 1), text[open] == '"');
    } else if (!text.starts_with("//")) {
      check_words(file, number, text);
    }
  }

  void check_words(const std::string& file, std::size_t number, const std::string& text) {
    if (matches({"tests/*", "bench/*", "tools/*", "docs/*"}, file)) return;
    for (const auto& word : rules_.words) {
      if (text.find(word.subject) != std::string::npos && !matches(word.patterns, file)) {
        offend(file, number, "'" + word.subject + "' must not stand here");
      }
    }
  }

  void check_include(const std::string& file, std::size_t number, const std::string& include,
                     bool quoted) {
    for (const auto& never : rules_.nevers) {
      if (never.subject == include && matches(never.patterns, file)) {
        offend(file, number, "must not include <" + include + ">");
      }
    }
    if (include.starts_with("zkgpu/")) {
      if (quoted) offend(file, number, "write <" + include + ">, not \"" + include + "\"");
      check_edge(file, number, include);
    } else if (quoted) {
      if (file.starts_with("include/")) {
        offend(file, number, "a public header includes <zkgpu/...>, not \"" + include + "\"");
      }
    } else if (include.find_first_of("./") != std::string::npos &&  // not <vector>
               !is_test_support(file, include)) {
      check_external(file, number, include);
    }
  }

  /// Tests and benchmarks have tests/support on their include path.
  [[nodiscard]] bool is_test_support(const std::string& file, const std::string& include) const {
    return matches({"tests/*", "bench/*"}, file) &&
           fs::exists(root_ / "tests" / "support" / include);
  }

  void check_external(const std::string& file, std::size_t number, const std::string& include) {
    bool known = false;
    for (const auto& external : rules_.externals) {
      if (!matches({external.subject}, include)) continue;
      known = true;
      if (matches(external.patterns, file)) return;
    }
    offend(file, number,
           known ? "<" + include + "> is not allowed here"
                 : "<" + include + "> is not in tests/layering/rules.txt");
  }

  void check_edge(const std::string& file, std::size_t number, const std::string& include) {
    if (!fs::exists(root_ / "include" / include)) {
      offend(file, number, "<" + include + "> does not exist");
      return;
    }
    if (!file.starts_with("include/zkgpu/")) return;  // src, cuda, prover, tests: everything
    const std::string from = layer_of(file.substr(std::string_view("include/zkgpu/").size()));
    const std::string to = layer_of(include.substr(std::string_view("zkgpu/").size()));
    if (from.empty() || to.empty()) {
      offend(file, number,
             "no layer in tests/layering/rules.txt for " + (from.empty() ? file : include));
      return;
    }
    const Words& allowed = rules_.layers.at(from);
    if (from != to && std::find(allowed.begin(), allowed.end(), to) == allowed.end()) {
      offend(file, number,
             "layer " + from + " must not include layer " + to + " (" + include + ")");
    }
  }

  /// The longest folder with a rule that contains `path`, "." for a file in include/zkgpu itself.
  [[nodiscard]] std::string layer_of(const std::string& path) const {
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) return ".";
    for (; !folder.empty(); folder = folder.parent_path()) {
      if (rules_.layers.contains(folder.generic_string())) return folder.generic_string();
    }
    return {};
  }

  fs::path root_;
  const Rules& rules_;
  Words offences_;
  std::size_t files_ = 0;
  std::size_t includes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Rules rules;
  if (argc != 3 || !read_rules(argv[2], rules)) {
    std::fputs("usage: layering ROOT RULES (and RULES must be readable)\n", stderr);
    return 2;
  }
  Checker checker(argv[1], rules);
  for (const char* folder :
       {"include", "src", "cuda", "prover", "tests", "bench", "tools", "docs"}) {
    checker.check_tree(folder);
  }
  return checker.report();
}
