# import_floor CAPTURE: how near import comes to a bare loop of prepared inserts.
add_executable(import_floor import_floor.c)
target_include_directories(import_floor PRIVATE
  ${PROJECT_SOURCE_DIR}/analyzer ${PROJECT_SOURCE_DIR}/schemas)
target_link_libraries(import_floor PRIVATE ludus_warnings ludus_analyzer PkgConfig::SQLITE)
set_target_properties(import_floor PROPERTIES C_EXTENSIONS ON C_STANDARD 11)
