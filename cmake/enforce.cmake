# libtarry_enforce.so: what runs in the process of a program whose schedules are enforced (src/enforce/rt). It brings no library with it but libc, and all
# names are hidden but those of the functions that it takes over.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/enforce/rt/*.cc)
tarry_threads_here(possible)
if(sources AND possible AND NOT TARRY_SANITIZE)
  set(exports ${PROJECT_SOURCE_DIR}/src/enforce/rt/exports.map)
  # It takes over __cxa_end_catch, too: as in runtime.cmake, which makes this object.
  add_library(tarry_enforcing SHARED ${sources} ${end_catch} ${PROJECT_SOURCE_DIR}/src/enforce/kind.cc)
  target_link_libraries(tarry_enforcing PRIVATE tarry_flags ${CMAKE_DL_LIBS})
  target_compile_options(tarry_enforcing PRIVATE -O2 -fno-stack-protector -fno-threadsafe-statics -fno-builtin-malloc -mcx16 -ftls-model=initial-exec -Wno-pedantic)
  target_link_options(tarry_enforcing PRIVATE -static-libstdc++ -static-libgcc -Wl,--wrap=__cxa_end_catch -Wl,--version-script=${exports} -Wl,-z,now -Wl,-z,nodelete -Wl,-z,defs)
  set_target_properties(tarry_enforcing PROPERTIES OUTPUT_NAME tarry_enforce CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${exports}" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  if(TARGET tarry)
    add_dependencies(tarry tarry_enforcing)
  endif()
endif()
