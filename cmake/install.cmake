# cmake --install: the tool, the public headers, a CMake package for those who build models themselves, man page, completions.
include(CMakePackageConfigHelpers)

if(TARGET tarry)
  install(TARGETS tarry RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET tarry_rt)
  install(TARGETS tarry_rt tarry_cxx LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarry)
  install(FILES ${PROJECT_BINARY_DIR}/lib/link/libtsan.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarry/link)
  install(FILES src/native/driver/gdb.py src/native/driver/copies_are_calls.h DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarry)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/bin/tarry-cc ${PROJECT_BINARY_DIR}/bin/tarry-c++ DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET tarry_enforcing)
  install(TARGETS tarry_enforcing LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarry)
endif()
if(TARRY_PASSES)
  install(TARGETS ${TARRY_PASSES} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarry)
endif()
install(DIRECTORY bench/ase17 bench/enforce DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry/bench)
install(DIRECTORY include/tarry DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(TARRY_RUNTIME_DIR ${CMAKE_INSTALL_LIBDIR}/tarry)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tarry)
configure_package_config_file(cmake/tarryConfig.cmake.in ${PROJECT_BINARY_DIR}/tarryConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR TARRY_RUNTIME_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tarryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tarryConfig.cmake ${PROJECT_BINARY_DIR}/tarryConfigVersion.cmake DESTINATION ${package_dir})

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET tarry)
  # The man page: what stands in docs/man, and the commands, options and searches that the tool itself lists.
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/tarry.1 DEPENDS tarry docs/man/tarry.1 cmake/man_page.cmake VERBATIM
    COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:tarry> -DVERSION=${PROJECT_VERSION} -DFROM=${PROJECT_SOURCE_DIR}/docs/man/tarry.1 -DTO=${PROJECT_BINARY_DIR}/tarry.1 -P ${PROJECT_SOURCE_DIR}/cmake/man_page.cmake)
  add_custom_target(tarry_man_page ALL DEPENDS ${PROJECT_BINARY_DIR}/tarry.1)
  install(FILES ${PROJECT_BINARY_DIR}/tarry.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES cmake/completion/tarry.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tarry)
install(FILES cmake/completion/_tarry DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES cmake/completion/tarry.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
