// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: memory: the first part says where the key is, as resident_device does
#include <zkgpu/prover/pipeline/memory/memory.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Key = allocate_each;
#else
using Key = resident_device;
#endif

int main() { return memory<Key, allocate_each, free_inline, true>::early_release ? 0 : 1; }
