find_package(ludus 0.1 REQUIRED COMPONENTS runtime gpu)
