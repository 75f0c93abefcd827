// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <string>

#include "commands/arguments.hpp"
#include "commands/commands.hpp"
#include "files/verifying_key_text.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

int export_vk(Session& session, const ExportVkOptions& options) {
  announce(session, options.keys);
  const std::string outputs[] = {options.out};
  const std::string inputs[] = {options.key};
  expect_outputs(session.env(), outputs, inputs);
  expect_no_key_replaced(session.env(), outputs);
  const InputArgument key[] = {{"KEY", options.key, Content::any_key}};
  expect_kinds(session.env(), key, "zkgpu export vk KEY OUT");
  const LoadedVerifyingKey vk = load_verifying_key(session, options.key, options.keys);
  const std::string text = session.timed("make the verifying key", [&] {
    return format_verifying_key(vk, verifying_key_form_of(options.out), options.key);
  });
  OutputGroup files(session.env());
  files.add(options.out).write(io::bytes_of(text));
  files.commit();
  session.finish("", {{"command", "export vk"},
                      {"key", options.key},
                      {"out", options.out},
                      {"public_values", vk.key.num_public()}});
  return exit_success;
}

}  // namespace zkgpu::cli
