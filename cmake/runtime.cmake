# libtarry_rt.so: what runs in the process of a tested thread program. The engine is in it, so that a search runs where the program
# does; all names but those that it takes over from the program's libraries are hidden.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/native/rt/*.cc ${PROJECT_SOURCE_DIR}/src/native/rt/*/*.cc)
if(sources AND NOT TARRY_SANITIZE)  # a sanitizer's own runtime would be taken over too
  add_library(tarry_rt SHARED ${sources})
  set(exports ${PROJECT_SOURCE_DIR}/src/native/rt/exports.map)
  target_link_libraries(tarry_rt PRIVATE tarry_explore tarry_native tarry_trace tarry_store tarry_core tarry_base ${CMAKE_DL_LIBS})
  target_compile_options(tarry_rt PRIVATE -fno-stack-protector -mfsgsbase -ftls-model=initial-exec -Wno-pedantic)
  target_link_options(tarry_rt PRIVATE -static-libstdc++ -static-libgcc -Wl,--version-script=${exports} -Wl,-z,now -Wl,-z,nodelete -Wl,--exclude-libs,ALL)
  set_target_properties(tarry_rt PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS ${exports}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
endif()
