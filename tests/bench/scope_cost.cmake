# scope_cost [--quick]: what a recorded and an idle scope cost.
add_executable(scope_cost scope_cost.c)
target_link_libraries(scope_cost PRIVATE ludus_warnings ludus::runtime)
set_target_properties(scope_cost PROPERTIES C_EXTENSIONS ON C_STANDARD 11)
