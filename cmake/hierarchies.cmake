# The standard hierarchies, a file each, become read-only data of the library
# (src/hierarchy/standards.c).
file(GLOB STANDARDS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/hierarchies/*.lst)
set(STANDARDS_FILE ${CMAKE_BINARY_DIR}/hierarchies.lst)
add_custom_command(OUTPUT ${STANDARDS_FILE} VERBATIM
  COMMAND sh -c "cat \"$@\" >\"$0.new\" && mv \"$0.new\" \"$0\"" ${STANDARDS_FILE} ${STANDARDS}
  DEPENDS ${STANDARDS})
add_custom_target(tacit_standards DEPENDS ${STANDARDS_FILE})
add_dependencies(tacit_objects tacit_standards)
set_source_files_properties(src/hierarchy/standards.c PROPERTIES
  OBJECT_DEPENDS ${STANDARDS_FILE} COMPILE_DEFINITIONS TACIT_STANDARDS_FILE="${STANDARDS_FILE}")
