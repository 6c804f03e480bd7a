# The word lists and the letter model: data/text/lexicon.lst, packed by a program that is built
# first and never installed, becomes read-only data of the library (src/text/lexicon/tables.c).
add_executable(tacit_pack scripts/lexicons/pack.c scripts/lexicons/pack_read.c
  scripts/lexicons/pack_map.c scripts/lexicons/pack_letters.c scripts/lexicons/pack_pairs.c
  src/text/lexicon/lookup.c src/base/alloc.c src/base/error.c src/base/hash.c src/base/utf8.c)
target_include_directories(tacit_pack PRIVATE include src scripts/lexicons)
set_target_properties(tacit_pack PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lexicon)

set(TABLES ${CMAKE_BINARY_DIR}/lexicon/tables.bin)
add_custom_command(OUTPUT ${TABLES} VERBATIM
  COMMAND tacit_pack ${PROJECT_SOURCE_DIR}/data/text/lexicon.lst ${TABLES}.new
  COMMAND ${CMAKE_COMMAND} -E rename ${TABLES}.new ${TABLES}
  DEPENDS tacit_pack data/text/lexicon.lst)
add_custom_target(tacit_tables DEPENDS ${TABLES})
add_dependencies(tacit_objects tacit_tables)
set_source_files_properties(src/text/lexicon/tables.c PROPERTIES
  OBJECT_DEPENDS ${TABLES} COMPILE_DEFINITIONS TACIT_TABLES_FILE="${TABLES}")

# Names made up with these, in the same way.
add_executable(tacit_pool scripts/lexicons/pool_names.c
  src/text/lexicon/letters.c src/text/lexicon/lexicon.c src/text/lexicon/fold.c src/text/lexicon/lookup.c src/text/lexicon/tables.c
  src/base/alloc.c src/base/error.c src/base/hash.c src/base/random.c src/base/utf8.c)
target_include_directories(tacit_pool PRIVATE include src)
target_link_libraries(tacit_pool PRIVATE PkgConfig::SODIUM)
set_target_properties(tacit_pool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lexicon)
add_dependencies(tacit_pool tacit_tables)

set(POOL ${CMAKE_BINARY_DIR}/lexicon/pool.bin)
add_custom_command(OUTPUT ${POOL} VERBATIM
  COMMAND tacit_pool ${POOL}.new
  COMMAND ${CMAKE_COMMAND} -E rename ${POOL}.new ${POOL}
  DEPENDS tacit_pool)
add_custom_target(tacit_pool_names DEPENDS ${POOL})
add_dependencies(tacit_objects tacit_pool_names)
set_source_files_properties(src/text/lexicon/pool.c PROPERTIES
  OBJECT_DEPENDS ${POOL} COMPILE_DEFINITIONS TACIT_POOL_FILE="${POOL}")

# The shipped weights of the chain of words, as they are.
set(CHAIN ${PROJECT_SOURCE_DIR}/data/text/chain.lst)
set_source_files_properties(src/text/chain/chain.c PROPERTIES
  OBJECT_DEPENDS ${CHAIN} COMPILE_DEFINITIONS TACIT_CHAIN_FILE="${CHAIN}")
