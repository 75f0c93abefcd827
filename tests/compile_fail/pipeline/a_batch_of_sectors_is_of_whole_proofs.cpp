// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: a batch of sectors goes to the device whole: take unit::whole_proof
#include <zkgpu/prover/pipeline/flow/flow.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Unit = unit::partition;
#else
using Unit = unit::whole_proof;
#endif

int main() {
  using Made = flow<Unit, order::fifo, admission::unbounded, batching::sector_batch, throttle::none,
                    grain::per_gadget>;
  return Made::spreads_witness ? 0 : 1;
}
