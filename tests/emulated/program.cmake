# SPDX-License-Identifier: Apache-2.0 OR MIT
# The program under an emulator, from a circuit to proofs that are valid and not. (tests/cli starts it
# as a process, which an emulator would leave to the machine below.)
#
# cmake -DPROGRAM=zkgpu -DEMULATOR="qemu-...;-cpu;..." -DLEVEL=scalar -DFOLDER=... -P program.cmake
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(ENV{HOME} "${FOLDER}")
set(ENV{XDG_STATE_HOME} "${FOLDER}")

# expect(<status> <text in the output> <argument>...)
function(expect status text)
  execute_process(COMMAND ${EMULATOR} "${PROGRAM}" ${ARGN} WORKING_DIRECTORY "${FOLDER}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  string(FIND "${output}" "${text}" at)
  if(NOT result STREQUAL status OR at EQUAL -1)
    message(FATAL_ERROR "zkgpu ${ARGN}: status ${result}, not ${status}, or no '${text}' in:\n${output}")
  endif()
endfunction()

expect(0 "constraints" example chain --log-constraints 7 .)
expect(0 "domain 2^7" setup circuit.r1cs circuit.zkey)
expect(0 "" export vk circuit.zkey vk.json)
expect(0 "" prove circuit.zkey witness.wtns proof.json public.json)
expect(0 "valid" verify vk.json public.json proof.json)
file(WRITE "${FOLDER}/other.json" "[\"1\", \"1\"]\n")
expect(1 "invalid" verify vk.json other.json proof.json)
set(ENV{ZKGPU_FORCE_ARCH} avx512ifma)
expect(2 "this machine can run at most ${LEVEL}"
  prove circuit.zkey witness.wtns none.json none-public.json)
set(ENV{ZKGPU_FORCE_ARCH} scalar)
expect(0 "" prove circuit.zkey witness.wtns proof.json public.json)
expect(0 "valid" verify vk.json public.json proof.json)
