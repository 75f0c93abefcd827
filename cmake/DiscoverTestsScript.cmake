# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs at build time: writes OUTPUT, a ctest include file with one test per test case of PROGRAM,
# which EMULATOR, a list, runs if it is not empty.
cmake_minimum_required(VERSION 3.22)

separate_arguments(list_arguments UNIX_COMMAND "${LIST_ARGUMENTS}")
execute_process(COMMAND ${EMULATOR} "${PROGRAM}" ${list_arguments} "${SPEC}"
  WORKING_DIRECTORY "${WORKING_DIRECTORY}" TIMEOUT 120
  OUTPUT_VARIABLE titles ERROR_VARIABLE errors RESULT_VARIABLE status)
if(NOT status MATCHES "^[0-9]+$" OR errors)  # Catch2 2 answers with the number of test cases
  file(REMOVE "${PROGRAM}")                  # else the next build would not try again
  message(FATAL_ERROR "${PROGRAM} cannot list its tests (status ${status}): ${errors}")
endif()

# CMake lists split at semicolons and glue across square brackets: hide both while splitting.
string(REPLACE "[" "<LEFT>" titles "${titles}")
string(REPLACE "]" "<RIGHT>" titles "${titles}")
string(REPLACE ";" "<SEMICOLON>" titles "${titles}")
string(REPLACE "\n" ";" titles "${titles}")

set(command "")
foreach(word IN LISTS EMULATOR PROGRAM)
  string(APPEND command " [===[${word}]===]")
endforeach()
set(text "")
foreach(title IN LISTS titles)
  if(title STREQUAL "")
    continue()
  endif()
  string(REPLACE "<LEFT>" "[" title "${title}")
  string(REPLACE "<RIGHT>" "]" title "${title}")
  string(REPLACE "<SEMICOLON>" ";" title "${title}")
  # What Catch2 reads as syntax in a test specification.
  string(REPLACE "\\" "\\\\" pattern "${title}")
  foreach(mark "," "[" "]" "\"")
    string(REPLACE "${mark}" "\\${mark}" pattern "${pattern}")
  endforeach()
  string(REGEX MATCH "^[^/ ]+" label "${PREFIX}")
  string(APPEND text
    "add_test([===[${PREFIX}: ${title}]===]${command} [===[${pattern}]===])\n"
    "set_tests_properties([===[${PREFIX}: ${title}]===] PROPERTIES\n"
    "  WORKING_DIRECTORY [===[${WORKING_DIRECTORY}]===] TIMEOUT ${TIMEOUT} SKIP_RETURN_CODE 77\n"
    "  LABELS [===[${label}]===])\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
