# What makes a mistake in memory end the program instead of serving an attacker, as far as the compiler and the
# machine have it: checked stack frames and library calls, tables of addresses that are read-only once loaded, and
# branches that arrive only where one may. Paths of this machine stay out of what is built.
# tests/scripts/hardening.sh looks whether all of it is there.
include(CheckCCompilerFlag)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
  string(MAKE_C_IDENTIFIER "TACIT_HAS${flag}" known)
  check_c_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()
set(PREFIX_MAPS -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
add_compile_options(${PREFIX_MAPS})
add_link_options(${PREFIX_MAPS}) # what is compiled when it is linked (cmake/whole.cmake) names the folder too
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
if(NOT TACIT_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug") # the sanitizers check these calls themselves
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
