# SPDX-License-Identifier: Apache-2.0 OR MIT
# zkgpu::cuda, from cuda/**/*.cu.
include_guard(GLOBAL)
include(CheckLanguage)

if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "CUDA architectures")
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "ZKGPU_CUDA is on but no CUDA compiler was found: put nvcc on the PATH or "
    "set CMAKE_CUDA_COMPILER, or configure with -DZKGPU_CUDA=OFF")
endif()
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc 12 can
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
find_package(CUDAToolkit REQUIRED)

file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/cuda/*.cu" "${PROJECT_SOURCE_DIR}/cuda/*.cpp")
if(NOT cuda_sources)
  message(FATAL_ERROR "ZKGPU_CUDA is on but cuda/ holds no source")
endif()
add_library(zkgpu_cuda STATIC ${cuda_sources})
add_library(zkgpu::cuda ALIAS zkgpu_cuda)
set_target_properties(zkgpu_cuda PROPERTIES EXPORT_NAME cuda CUDA_SEPARABLE_COMPILATION OFF)
zkgpu_target_defaults(zkgpu_cuda)
foreach(flag "-Werror=all-warnings" "-Xcompiler=-Wall,-Wextra" "-lineinfo")
  target_compile_options(zkgpu_cuda PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${flag}>")
endforeach()
target_link_libraries(zkgpu_cuda PUBLIC zkgpu_cpu CUDA::cudart_static)
