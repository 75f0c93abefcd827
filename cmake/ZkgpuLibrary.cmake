# SPDX-License-Identifier: Apache-2.0 OR MIT
# zkgpu::headers and zkgpu::cpu.
include_guard(GLOBAL)

file(GLOB_RECURSE ZKGPU_PUBLIC_HEADERS CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/include/zkgpu/*.hpp" "${PROJECT_SOURCE_DIR}/include/zkgpu/*.cuh")

add_library(zkgpu_headers INTERFACE)
add_library(zkgpu::headers ALIAS zkgpu_headers)
set_target_properties(zkgpu_headers PROPERTIES EXPORT_NAME headers)
target_compile_features(zkgpu_headers INTERFACE cxx_std_20)
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.23)
  target_sources(zkgpu_headers INTERFACE
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${ZKGPU_PUBLIC_HEADERS})
else()
  target_include_directories(zkgpu_headers INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endif()

file(GLOB_RECURSE cpu_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.cpp")
if(cpu_sources)
  add_library(zkgpu_cpu STATIC ${cpu_sources})
  zkgpu_instruction_sets(zkgpu_cpu ${cpu_sources})
  zkgpu_target_defaults(zkgpu_cpu)
  target_include_directories(zkgpu_cpu PRIVATE "${PROJECT_SOURCE_DIR}/src")
  set(cpu_scope PUBLIC)
else()
  add_library(zkgpu_cpu INTERFACE)
  set(cpu_scope INTERFACE)
endif()
add_library(zkgpu::cpu ALIAS zkgpu_cpu)
set_target_properties(zkgpu_cpu PROPERTIES EXPORT_NAME cpu)
# oneTBB is public: a user who instantiates an operation for a type of their own needs it.
target_link_libraries(zkgpu_cpu ${cpu_scope} zkgpu_headers TBB::tbb Threads::Threads)
if(cpu_sources)
  find_package(nlohmann_json 3.10 REQUIRED)
  target_link_libraries(zkgpu_cpu PRIVATE Hwloc::hwloc OpenSSL::Crypto
    "$<BUILD_INTERFACE:nlohmann_json::nlohmann_json>")
endif()
