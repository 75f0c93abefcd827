# SPDX-License-Identifier: Apache-2.0 OR MIT
# hwloc 2, which has no package of CMake's own: target Hwloc::hwloc. Also for projects that use an
# installed zkgpu, beside whose package it lies.
include(FindPackageHandleStandardArgs)

find_path(Hwloc_INCLUDE_DIR hwloc.h)
find_library(Hwloc_LIBRARY hwloc)
mark_as_advanced(Hwloc_INCLUDE_DIR Hwloc_LIBRARY)
find_package_handle_standard_args(Hwloc REQUIRED_VARS Hwloc_LIBRARY Hwloc_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Debian and Ubuntu have it in libhwloc-dev")
if(Hwloc_FOUND AND NOT TARGET Hwloc::hwloc)
  add_library(Hwloc::hwloc UNKNOWN IMPORTED)
  set_target_properties(Hwloc::hwloc PROPERTIES
    IMPORTED_LOCATION "${Hwloc_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Hwloc_INCLUDE_DIR}")
endif()
