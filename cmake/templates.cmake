# The shipped templates of text are read-only data of the library (src/text/template/list.c).
set(TEMPLATES ${PROJECT_SOURCE_DIR}/data/text/templates.lst)
set_source_files_properties(src/text/template/list.c PROPERTIES
  OBJECT_DEPENDS ${TEMPLATES} COMPILE_DEFINITIONS TACIT_TEMPLATES_FILE="${TEMPLATES}")
