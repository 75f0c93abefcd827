// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The program `zkgpu`. Options are in cli/, what a run needs in session/, one file a verb in
// commands/.
#include <exception>

#include "cli/failure.hpp"
#include "cli/options.hpp"
#include "session/process.hpp"

int main(int argc, char** argv) {
  using namespace zkgpu::cli;
  const bool json = asks_for_json(argc, argv);
  try {
    prepare_process(json);
    const Invocation invocation = parse(argc, argv);
    Session session(invocation.common);
    return invocation.run(session);
  } catch (...) {
    return report(describe(std::current_exception()), json);
  }
}
