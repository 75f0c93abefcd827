// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "session/outputs.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace zkgpu::cli {

namespace {

/// One place in the file system, whatever it is called, and through which links: the file if it is
/// there, else its name in its folder.
struct Place {
  bool exists = false;
  FileStatus status;
  std::string name;
};

Place place_of(CommandEnv& env, const std::string& path) {
  Place place;
  place.exists = !env.status_of_path(path.c_str(), place.status).failed();
  const std::string file = io::follow_links(env, path);
  const std::size_t slash = file.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : file.substr(0, slash == 0 ? 1 : slash);
  if (env.real_path(folder.c_str(), place.name).failed()) place.name = folder;
  place.name += "/" + (slash == std::string::npos ? file : file.substr(slash + 1));
  return place;
}

bool same(const Place& a, const Place& b) {
  if (a.exists && b.exists) {
    return a.status.device == b.status.device && a.status.inode == b.status.inode;
  }
  return a.name == b.name;
}

}  // namespace

void expect_outputs(CommandEnv& env, std::span<const std::string> outputs,
                    std::span<const std::string> inputs) {
  std::vector<Place> taken;
  for (const std::string& input : inputs) taken.push_back(place_of(env, input));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Place place = place_of(env, outputs[i]);
    for (std::size_t j = 0; j < taken.size(); ++j) {
      if (!same(place, taken[j])) continue;
      const bool input = j < inputs.size();
      const std::string& other = input ? inputs[j] : outputs[j - inputs.size()];
      throw InvalidArgument("output '" + outputs[i] + "' is the same file as " +
                            (input ? "input '" : "output '") + other + "'");
    }
    taken.push_back(place);
  }
  for (const std::string& output : outputs) const io::AtomicFile<CommandEnv> probe(env, output);
}

io::ByteSink& OutputGroup::add(const std::string& path, unsigned mode) {
  files_.push_back(std::make_unique<File>(*env_, path, mode));
  return *files_.back();
}

void OutputGroup::commit() {
  for (const auto& file : files_) file->prepare();
  const auto no_signal = TemporaryFiles::of_process().hold();
  try {
    for (const auto& file : files_) file->commit();
  } catch (...) {
    for (const auto& file : files_) file->withdraw();
    throw;
  }
}

}  // namespace zkgpu::cli
