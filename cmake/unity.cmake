# With TACIT_UNITY each folder of src is compiled as one file: its files then share one space of
# names, which the folder keeps free of collisions. Files that are compiled with definitions of their
# own, such as those that data is copied into, stay by themselves, as do those of cmake/whole.cmake.
if(TACIT_UNITY)
  set(TACIT_WHOLE OFF CACHE BOOL "optimize the command across the files of src/text and src/base" FORCE)
  set_target_properties(tacit_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A local variable of one file may be called like a function of its neighbour.
  target_compile_options(tacit_objects PRIVATE -Wno-shadow)
  foreach(source ${LIBRARY_SOURCES})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/src ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder})
  endforeach()
endif()
