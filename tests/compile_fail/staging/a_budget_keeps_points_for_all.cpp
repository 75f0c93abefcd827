// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: key_stream::shared_by: budgeted_lru keeps points for whoever comes: take
// key_stream::per_circuit
#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/pipeline/staging/fits.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Key = budgeted_lru;
#else
using Key = split_resident;
#endif

struct made : datacenter {
  using LockModel = reservation;
  using Staging = staging<synthesis::matrix_device, upload::registered, g2_tail::device,
                          sync::eager, key_stream::shared_by<2>>;
  using Memory = memory<Key, cached, recycle, true>;
};

int main() { return parts_fit<made>() ? 0 : 1; }
