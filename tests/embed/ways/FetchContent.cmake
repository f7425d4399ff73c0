include(FetchContent)
FetchContent_Declare(ludus GIT_REPOSITORY https://example.org/ludus-trace.git GIT_TAG v0.1.0)
FetchContent_MakeAvailable(ludus)
