# SPDX-License-Identifier: Apache-2.0 OR MIT
# The program must fail on the sample tree with exactly the lines of expected.txt.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND "${PROGRAM}" "${ROOT}" "${RULES}"
  OUTPUT_VARIABLE found RESULT_VARIABLE status)
file(READ "${ROOT}/expected.txt" expected)
if(NOT status EQUAL 1 OR NOT found STREQUAL expected)
  message(FATAL_ERROR "status ${status}, found\n${found}\nexpected\n${expected}")
endif()
