# SPDX-License-Identifier: Apache-2.0 OR MIT
# cmake --install, and find_package(zkgpu) for projects outside this tree.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/zkgpu")
set(targets zkgpu_headers zkgpu_cpu zkgpu_prover)
if(TARGET zkgpu_cuda)
  list(APPEND targets zkgpu_cuda)
endif()
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.23)
  install(TARGETS ${targets} EXPORT zkgpuTargets FILE_SET HEADERS)
else()
  install(TARGETS ${targets} EXPORT zkgpuTargets)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
endif()
install(EXPORT zkgpuTargets NAMESPACE zkgpu:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/zkgpuConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/zkgpuConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/zkgpuConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/zkgpuConfig.cmake"
  "${PROJECT_BINARY_DIR}/zkgpuConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindHwloc.cmake" DESTINATION "${package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE-APACHE" "${PROJECT_SOURCE_DIR}/LICENSE-MIT"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET zkgpu)
  install(TARGETS zkgpu)
endif()
