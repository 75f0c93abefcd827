# SPDX-License-Identifier: Apache-2.0 OR MIT
# Fails if an object of the list OBJECTS whose path matches UNITS defines a function that other units
# can see and whose name does not contain ARCH.
cmake_minimum_required(VERSION 3.22)

file(STRINGS "${OBJECTS}" objects)
set(looked_at 0)
set(offences "")
foreach(object IN LISTS objects)
  if(NOT object MATCHES "${UNITS}")
    continue()
  endif()
  execute_process(COMMAND "${NM}" --demangle --defined-only --extern-only --format=posix "${object}"
    OUTPUT_VARIABLE symbols ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "nm ${object}: ${errors}")
  endif()
  math(EXPR looked_at "${looked_at} + 1")
  # CMake lists split at semicolons and glue across square brackets.
  string(REGEX REPLACE "[][;]" "_" symbols "${symbols}")
  string(REPLACE "\n" ";" symbols "${symbols}")
  foreach(symbol IN LISTS symbols)  # functions only: constants are the same under any flags
    if(NOT symbol MATCHES " [TWi] [0-9a-f]+( [0-9a-f]+)?$" OR symbol MATCHES "${ARCH}")
      continue()
    endif()
    string(REGEX REPLACE "^(.*) ([TWi]) .*$" "\\2 \\1" symbol "${symbol}")
    string(APPEND offences "${object} carries no ${ARCH}: ${symbol}\n")
  endforeach()
endforeach()
if(looked_at EQUAL 0)
  message(FATAL_ERROR "no object matches ${UNITS}")
endif()
if(offences)
  message("${offences}")
  message(FATAL_ERROR "the linker may take these in place of other units' code")
endif()
