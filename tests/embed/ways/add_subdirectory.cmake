add_subdirectory(${LUDUS_TRACE_DIR} ludus-trace)
