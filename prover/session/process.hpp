// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

namespace zkgpu::cli {

/// What the program asks of its process before anything else, while there is one thread:
///
/// - no core dumps: they would hold the witness;
/// - a closed pipe and a file size limit are errors of a call, not the end of the process;
/// - SIGINT, SIGTERM and SIGHUP remove the temporary files and end the process with the status of
///   `Cancelled`, at once and wherever the work stands (a signal that was ignored stays ignored);
/// - an exception that nobody catches is an internal error with a message and status 70.
///
/// @param json  whether the message about a signal is a JSON object
void prepare_process(bool json);

/// Called by the handler of signals before it writes: takes the progress bar off the line.
/// @param clear  a function that only writes; null when there is no bar
void on_signal_clear(void (*clear)());

}  // namespace zkgpu::cli
