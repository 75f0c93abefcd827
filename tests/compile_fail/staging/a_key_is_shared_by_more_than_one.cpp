// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: key_stream::shared_by<k>: one proof shares with nobody: take per_circuit
#include <zkgpu/prover/pipeline/staging/staging.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using KeyStream = key_stream::shared_by<1>;
#else
using KeyStream = key_stream::shared_by<2>;
#endif

int main() {
  using Made = staging<synthesis::matrix_device, upload::registered, g2_tail::device, sync::eager,
                       KeyStream>;
  return Made::key_sharers == KeyStream::sharers ? 0 : 1;
}
