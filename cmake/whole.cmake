# The room of text is many small files on one hot path: where the compiler can, the command and the shared library are
# optimized across them when they are linked (gcc only: clang 14 has no fat objects). Objects are fat, they hold machine
# code as well, so that the static library is one like any other, for tests and for whoever links it with any compiler.
# Files that the assembler copies data into are left out: link-time optimization does not see what it defines.
option(TACIT_WHOLE "optimize the command across the files of src/text and src/base" ON)
include(CheckCCompilerFlag)
set(WHOLE_LINK)
if(TACIT_WHOLE AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT TACIT_SANITIZE)
  check_c_compiler_flag("-flto -ffat-lto-objects" TACIT_HAS_FAT_LTO)
  if(TACIT_HAS_FAT_LTO)
    set(WHOLE_LINK -flto=auto)
    foreach(source ${LIBRARY_SOURCES})
      file(STRINGS ${source} copied REGEX "\\.incbin" LIMIT_COUNT 1)
      if(source MATCHES "/src/(text|base)/" AND NOT copied)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -flto -ffat-lto-objects)
      endif()
    endforeach()
  endif()
endif()
