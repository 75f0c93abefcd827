# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compile and link flags of our own targets. None of them is passed on to users of the library.
include_guard(GLOBAL)
include(CheckPIESupported)

if(ZKGPU_HARDENING)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

# -fno-semantic-interposition: position independent code may still inline its own functions.
set(ZKGPU_CXX_FLAGS -Wall -Wextra -Wconversion -fno-semantic-interposition)
set(ZKGPU_LINK_FLAGS "")
set(ZKGPU_DEFINITIONS "")
if(ZKGPU_WERROR)
  list(APPEND ZKGPU_CXX_FLAGS -Werror)
endif()
if(ZKGPU_HARDENING)
  list(APPEND ZKGPU_CXX_FLAGS -fstack-protector-strong)
  list(APPEND ZKGPU_LINK_FLAGS -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  if(NOT ZKGPU_SANITIZE)  # the sanitizers intercept the functions that FORTIFY replaces
    list(APPEND ZKGPU_CXX_FLAGS "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>"
      "$<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>")
  endif()
endif()
if(ZKGPU_SANITIZE)
  list(APPEND ZKGPU_CXX_FLAGS -fsanitize=${ZKGPU_SANITIZE} -fno-omit-frame-pointer)
  list(APPEND ZKGPU_LINK_FLAGS -fsanitize=${ZKGPU_SANITIZE})
  if(ZKGPU_SANITIZE MATCHES "undefined")
    list(APPEND ZKGPU_CXX_FLAGS -fno-sanitize-recover=all)
    if(ZKGPU_SANITIZE MATCHES "address")  # which sees the same, and needs no guess of a size
      list(APPEND ZKGPU_CXX_FLAGS -fno-sanitize=object-size)
    endif()
  endif()
endif()
if(ZKGPU_FUZZ)  # coverage that steers the fuzzer, in everything it may reach
  list(APPEND ZKGPU_CXX_FLAGS -fsanitize=fuzzer-no-link)
endif()

# zkgpu_target_defaults(<target>): the flags above, for C++ sources of one target.
function(zkgpu_target_defaults target)
  foreach(flag IN LISTS ZKGPU_CXX_FLAGS)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flag}>")
  endforeach()
  target_link_options(${target} PRIVATE ${ZKGPU_LINK_FLAGS})
  if(ZKGPU_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
endfunction()

# zkgpu_instruction_sets(<target> <source>...): a unit whose name ends in an architecture, *_avx2.cpp or
# *_avx512ifma.cpp, is compiled for it; everything else is baseline x86-64. A function whose text
# depends on these flags carries the architecture in its type, so no two definitions of one symbol can
# meet in the linker.
set(ZKGPU_FLAGS_avx2 -mavx2 -mfma -mbmi2 -madx)
set(ZKGPU_FLAGS_avx512ifma
  -mavx512f -mavx512ifma -mavx512vl -mavx512dq -mavx512bw -mbmi2 -madx)
set(ZKGPU_FLAGS_checked "")  # unrolled by hand: checks in line take a minute or two a unit
if(ZKGPU_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(ZKGPU_FLAGS_checked -mllvm -asan-instrumentation-with-call-threshold=0)
endif()
function(zkgpu_instruction_sets target)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    return()
  endif()
  foreach(source IN LISTS ARGN)
    if(source MATCHES "_(avx2|avx512ifma)(_impl_hpp)?\\.cpp$")  # the second: a header's own unit
      set_source_files_properties("${source}" TARGET_DIRECTORY ${target}
        PROPERTIES COMPILE_OPTIONS "${ZKGPU_FLAGS_${CMAKE_MATCH_1}};${ZKGPU_FLAGS_checked}")
    endif()
  endforeach()
endfunction()
