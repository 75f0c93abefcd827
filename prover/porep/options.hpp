// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.hpp"

namespace zkgpu::cli {

/// The verbs of `zkgpu porep`.
void add_porep(CLI::App& app, Invocation& invocation);

}  // namespace zkgpu::cli
