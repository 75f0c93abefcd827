# SPDX-License-Identifier: Apache-2.0 OR MIT
# Options, defaults and the places where outputs go.
include_guard(GLOBAL)

option(ZKGPU_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ZKGPU_SLOW_TESTS "Register the tests tagged [slow] with ctest" OFF)
option(ZKGPU_GPU_TESTS "Register the tests tagged [gpu] with ctest: they need a device" OFF)
option(ZKGPU_BENCH "Build the benchmarks" OFF)
option(ZKGPU_CUDA "Build the CUDA backend" OFF)
option(ZKGPU_HARDENING "Position independent, read-only relocations, stack protector, FORTIFY" ON)
option(ZKGPU_FUZZ "Build the fuzz targets with libFuzzer: clang, with ZKGPU_SANITIZE" OFF)
set(ZKGPU_FUZZ_NUMBERS "commit" CACHE STRING "Executions of a fuzz test: commit, merge or release")
set(ZKGPU_SANITIZE "" CACHE STRING "Sanitizers, comma separated: address,undefined or thread")

# Warnings are errors with the compilers that CI runs. With another one a new warning must not
# keep a user from building, so there they stay warnings.
set(werror OFF)
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^14\\."))
  set(werror ON)
endif()
option(ZKGPU_WERROR "Warnings are errors" ${werror})

# Files made by other people's software (vectors, fixtures), read by the tests where they are
# present. The environment variable of the same name overrides it at run time.
if(NOT DEFINED ZKGPU_SHARED)
  foreach(candidate "${PROJECT_SOURCE_DIR}/shared" "${PROJECT_SOURCE_DIR}/../shared")
    if(IS_DIRECTORY "${candidate}/vectors")
      get_filename_component(found "${candidate}" ABSOLUTE)
      break()
    endif()
  endforeach()
  set(ZKGPU_SHARED "${found}" CACHE PATH "Folder of shared test data; empty: those tests skip")
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "zkgpu needs g++ 12 or newer, or clang 14 or newer; found g++ "
    "${CMAKE_CXX_COMPILER_VERSION}. Choose one with CXX=g++-12.")
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  message(STATUS "${CMAKE_SYSTEM_PROCESSOR} gets the portable path only")
elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  message(WARNING "zkgpu is tested on x86-64 and aarch64; ${CMAKE_SYSTEM_PROCESSOR} gets the portable "
    "path only")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(ZKGPU_CCACHE ccache)
  if(ZKGPU_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${ZKGPU_CCACHE}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${ZKGPU_CCACHE}")
  endif()
endif()

find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(Hwloc REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
