# SPDX-License-Identifier: Apache-2.0 OR MIT
# For aarch64, on another machine: Debian's cross compiler, libraries unpacked below ZKGPU_SYSROOT,
# and tests run by qemu-user. `.ci/run arm` fills that folder; so does any other way to unpack the
# arm64 packages of oneTBB, hwloc, OpenSSL, zlib, fmt and the C and C++ run times. Libraries that are
# headers alone are those of the machine that compiles.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZKGPU_SYSROOT)
set(CMAKE_FIND_ROOT_PATH "${ZKGPU_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
# OpenSSL and zlib keep what they were configured with in a folder of the architecture.
set(CMAKE_CXX_FLAGS_INIT "-isystem ${ZKGPU_SYSROOT}/usr/include/aarch64-linux-gnu")

# The first generation of 64-bit processors: an instruction added since does not run.
find_program(ZKGPU_QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64)
if(ZKGPU_QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${ZKGPU_QEMU_AARCH64};-cpu;cortex-a53;-L;${ZKGPU_SYSROOT}")
endif()
