# SPDX-License-Identifier: Apache-2.0 OR MIT
# zkgpu::prover, the umbrella that users link, and the program zkgpu.
include_guard(GLOBAL)

add_library(zkgpu_prover INTERFACE)
add_library(zkgpu::prover ALIAS zkgpu_prover)
set_target_properties(zkgpu_prover PROPERTIES EXPORT_NAME prover)
target_link_libraries(zkgpu_prover INTERFACE zkgpu_cpu)
if(TARGET zkgpu_cuda)
  target_link_libraries(zkgpu_prover INTERFACE zkgpu_cuda)
endif()

file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/prover/*.cpp")
if(program_sources)
  set(other gpu_cuda.cpp)
  if(TARGET zkgpu_cuda)
    set(other gpu_none.cpp)
  endif()
  list(REMOVE_ITEM program_sources "${PROJECT_SOURCE_DIR}/prover/devices/${other}")
  find_package(CLI11 REQUIRED)
  find_package(fmt REQUIRED)
  find_package(nlohmann_json 3.10 REQUIRED)
  add_executable(zkgpu ${program_sources})
  zkgpu_target_defaults(zkgpu)
  target_include_directories(zkgpu PRIVATE "${PROJECT_SOURCE_DIR}/prover")
  target_compile_definitions(zkgpu PRIVATE ZKGPU_VERSION="${PROJECT_VERSION}")
  target_link_libraries(zkgpu PRIVATE zkgpu_prover CLI11::CLI11 fmt::fmt
    nlohmann_json::nlohmann_json)
endif()

# The circuit that ./demo proves, and an example of the circuit API.
if(PROJECT_IS_TOP_LEVEL AND program_sources)
  add_executable(example_circuit EXCLUDE_FROM_ALL
    "${PROJECT_SOURCE_DIR}/docs/example-circuit/main.cpp")
  set_target_properties(example_circuit PROPERTIES OUTPUT_NAME example-circuit)
  zkgpu_target_defaults(example_circuit)
  target_link_libraries(example_circuit PRIVATE zkgpu_prover)
endif()
