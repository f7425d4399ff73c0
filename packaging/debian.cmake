# Debian packages: ludus-trace, libludusVERSION with the shared libraries, libludus-dev with the rest.
# Made by cpack -G DEB in the build folder; .ci/package makes those of a release.
set(libraries_package libludus${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(package_of_program ludus-trace)
set(package_of_runtime ${libraries_package})
set(package_of_development libludus-dev)
foreach(component program runtime development)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package_of_${component}})
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package_of_${component}})
endforeach()

set(CPACK_COMPONENTS_ALL runtime development)
if(TARGET ludus-trace)
  list(APPEND CPACK_COMPONENTS_ALL program)
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ludus-trace)
set(CPACK_PACKAGE_CONTACT "The authors of Ludus trace <ludus-trace@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "ludus-trace, which answers from captures: frame times, call trees, hitches, GPU times, SQL, \
timelines for Perfetto, comparisons for CI.")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
  "The shared libraries that a game needs to run when it is linked with the recorder.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Headers and static libraries to build a game with the recorder, with CMake or pkg-config.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "${libraries_package} (= ${PROJECT_VERSION}), libzstd-dev, pkg-config")
include(CPack)
