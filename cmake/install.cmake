# What `make install` installs. Man pages and completions come from the command itself,
# whose option tables they are made from, so they cannot fall behind it.

install(TARGETS tacit_library tacit_shared
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/tacit.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/tacit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
configure_file(cmake/tacit.pc.in tacit.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tacit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/tacit
        FILES_MATCHING PATTERN "*.csv" PATTERN "*.yaml" PATTERN "*.txt")
install(FILES LICENSE NOTICE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET tacit)
  install(TARGETS tacit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

  # say(FILE ARGUMENT...): FILE of the build folder holds what `tacit ARGUMENT...` prints.
  # Written under another name first, so that a command that fails leaves no file behind.
  set(SAID)
  function(say file)
    set(path ${CMAKE_BINARY_DIR}/generated/${file})
    add_custom_command(OUTPUT ${path} DEPENDS tacit VERBATIM
      COMMAND sh -c "\"$0\" \"$@\" >\"${path}.new\" && mv \"${path}.new\" \"${path}\""
              $<TARGET_FILE:tacit> ${ARGN})
    set(SAID ${SAID} ${path} PARENT_SCOPE)
  endfunction()

  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
  say(tacit.1 self man)
  foreach(command anonymize audit compare hierarchy ledger profile protect risk scrub demo)
    say(tacit-${command}.1 self man ${command})
  endforeach()
  say(tacit.bash self completion bash)
  say(_tacit self completion zsh)
  say(tacit.fish self completion fish)
  add_custom_target(generated ALL DEPENDS ${SAID})

  install(DIRECTORY ${CMAKE_BINARY_DIR}/generated/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          FILES_MATCHING PATTERN "*.1")
  install(FILES ${CMAKE_BINARY_DIR}/generated/tacit.bash RENAME tacit
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_BINARY_DIR}/generated/_tacit
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${CMAKE_BINARY_DIR}/generated/tacit.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
