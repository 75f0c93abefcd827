# SPDX-License-Identifier: Apache-2.0 OR MIT
# zkgpu_discover_tests(<target> <prefix>): after each build of a Catch2 program, list its test cases
# and register every one as "<prefix>: <title>" with ctest. (The function that comes with Catch2
# breaks on titles with brackets, which half-open intervals have.) To include once Catch2 is found.
include_guard(GLOBAL)

set(ZKGPU_DISCOVER_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/DiscoverTestsScript.cmake")
if(Catch2_VERSION VERSION_LESS 3)
  set(ZKGPU_LIST_ARGUMENTS "--list-test-names-only")
else()
  set(ZKGPU_LIST_ARGUMENTS "--list-tests --verbosity quiet")
endif()

function(zkgpu_discover_tests target prefix)
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake")
  set(spec "~[.]")
  if(NOT ZKGPU_SLOW_TESTS)
    string(APPEND spec "~[slow]")
  endif()
  if(NOT ZKGPU_GPU_TESTS)
    string(APPEND spec "~[gpu]")
  endif()
  set(timeout 300)
  if(ZKGPU_SANITIZE OR ZKGPU_SLOW_TESTS OR CMAKE_CROSSCOMPILING)
    set(timeout 1500)
  endif()
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DPREFIX=${prefix}"
      "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}" "-DSPEC=${spec}"
      "-DLIST_ARGUMENTS=${ZKGPU_LIST_ARGUMENTS}" "-DTIMEOUT=${timeout}"
      "-DWORKING_DIRECTORY=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${list_file}"
      -P "${ZKGPU_DISCOVER_SCRIPT}"
    COMMENT "Listing the tests of ${target}")
  # A program that was not built counts as one failed test, not as none.
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake"
    "if(EXISTS \"${list_file}\")\n  include(\"${list_file}\")\nelse()\n"
    "  add_test(\"${prefix}: not built\" \"${target}-not-built\")\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY
    TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake")
endfunction()
