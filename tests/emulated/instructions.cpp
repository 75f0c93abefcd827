// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// instructions NAME...: which of the instructions that zkgpu chooses at run time does this
// processor execute? Ends with 0 if they are those that are named and no others. So a run of the
// tests on an emulated processor is known to end at the first instruction that the processor lacks.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace {

sigjmp_buf before_instruction;

extern "C" void on_illegal_instruction(int) { siglongjmp(before_instruction, 1); }

struct Instruction {
  const char* name;  ///< of the extension
  void (*execute)();
};

constexpr Instruction instructions[] = {
    {"bmi2",
     [] {
       asm volatile("mulx %%rax, %%rax, %%rcx" ::: "rax", "rcx");
     }},
    {"adx",
     [] {
       asm volatile("adcx %%rax, %%rax" ::: "rax", "cc");
     }},
    {"avx2",
     [] {
       asm volatile("vpaddq %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
     }},
    {"fma",
     [] {
       asm volatile("vfmadd231pd %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
     }},
    {"avx512f",
     [] {
       asm volatile("vpaddq %%zmm0, %%zmm0, %%zmm0" ::: "xmm0");
     }},
    {"avx512ifma",
     [] {
       asm volatile("vpmadd52luq %%zmm0, %%zmm0, %%zmm0" ::: "xmm0");
     }},
};

bool executes(const Instruction& instruction) {
  if (sigsetjmp(before_instruction, 1) != 0) return false;
  instruction.execute();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  struct sigaction action {};
  action.sa_handler = on_illegal_instruction;
  if (sigaction(SIGILL, &action, nullptr) != 0) return 2;
  int wrong = 0;
  int known = 1;
  for (const Instruction& instruction : instructions) {
    bool expected = false;
    for (int i = 1; i < argc; ++i) expected |= std::strcmp(argv[i], instruction.name) == 0;
    known += expected ? 1 : 0;
    const bool executed = executes(instruction);
    std::printf("%s: %s\n", instruction.name, executed ? "executed" : "illegal");
    if (executed != expected) ++wrong;
  }
  if (known != argc) std::printf("the arguments name an instruction that is not here, or twice\n");
  return wrong == 0 && known == argc ? 0 : 1;
}
