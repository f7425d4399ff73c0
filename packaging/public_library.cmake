# A library that programs link: ludus_public_library(ludus_NAME SOURCES FILE... [OBJECTS OBJECT...]
# [INCLUDES FOLDER...] [PUBLIC LIBRARY...] [PRIVATE LIBRARY...])
#
# There are two of it, made of the same objects: static, ludus_NAME, and shared, ludus_NAME_shared.
# ludus::NAME is one of them: what LUDUS_SHARED_LIBS says, here and in the installed package. PUBLIC
# libraries are such libraries, too. OBJECTS go into it as they are. INCLUDES are for its own files;
# its public headers lie in its folder's include/.
function(ludus_public_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;OBJECTS;INCLUDES;PUBLIC;PRIVATE" ${ARGN})
  string(REPLACE "ludus_" "" short ${name})
  string(REPLACE "_" "-" file ${name})

  add_library(${name} STATIC ${arg_SOURCES} ${arg_OBJECTS})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${arg_INCLUDES})
  target_compile_features(${name} PRIVATE c_std_11)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  # A game that names no build type still gets a fast recorder.
  target_compile_options(${name} PRIVATE -fno-plt $<$<CONFIG:>:-O2>)
  # What is public is marked so in its header; a shared library that takes the recorder in shows only
  # that.
  set_target_properties(${name} PROPERTIES
    C_EXTENSIONS ON
    C_VISIBILITY_PRESET hidden
    POSITION_INDEPENDENT_CODE ON
    OUTPUT_NAME ${file}
    EXPORT_NAME ${short})
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:ludus_warnings>)
  # Threads that end and programs that exit call what the recorder left with them. So a library that
  # takes it in, and the shared one, stay when they are unloaded.
  set(stays LINKER:-z,nodelete)
  target_link_options(${name} INTERFACE ${stays})

  # Until version 1 any release may change the ABI.
  set(is_left_out ON)
  if(LUDUS_INSTALL OR LUDUS_SHARED_LIBS)
    set(is_left_out OFF)
  endif()
  add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}> ${arg_OBJECTS})
  target_link_options(${name}_shared PRIVATE ${stays} LINKER:-z,defs)
  set_target_properties(${name}_shared PROPERTIES
    LINKER_LANGUAGE C
    OUTPUT_NAME ${file}
    EXPORT_NAME ${short}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    EXCLUDE_FROM_ALL ${is_left_out})

  foreach(kind "" _shared)
    list(TRANSFORM arg_PUBLIC APPEND "${kind}" OUTPUT_VARIABLE public)
    target_link_libraries(${name}${kind} PUBLIC ${public} PRIVATE ${arg_PRIVATE})
    target_include_directories(${name}${kind} PUBLIC
      $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
  endforeach()
  if(LUDUS_SHARED_LIBS)
    add_library(ludus::${short} ALIAS ${name}_shared)
  else()
    add_library(ludus::${short} ALIAS ${name})
  endif()
endfunction()
