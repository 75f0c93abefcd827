// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: recycle needs a place that keeps buffers: take cached or arena with it
#include <zkgpu/prover/pipeline/memory/arena.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Buffers = allocate_each;
#else
using Buffers = arena;
#endif

int main() { return memory<resident_host, Buffers, recycle, true>::early_release ? 0 : 1; }
