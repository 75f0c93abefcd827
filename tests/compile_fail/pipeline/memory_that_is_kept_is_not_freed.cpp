// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: cached and arena keep their buffers, so none is freed: take recycle
#include <zkgpu/prover/pipeline/memory/cached.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Release = free_inline;
#else
using Release = recycle;
#endif

int main() { return memory<resident_device, cached, Release, true>::early_release ? 0 : 1; }
