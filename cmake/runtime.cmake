# libtarry_rt.so: what runs in the process of a tested thread program. The engine is in it, so that a search runs where the program
# does. It brings no library with it but libc: what it is made of is linked statically, and all names are hidden but those of the functions that
# it takes over.
#
# Sanitizers: AddressSanitizer and ThreadSanitizer take over the same functions, and what UndefinedBehaviorSanitizer says comes from a
# library of its own. But it can do without: undefined behaviour ends in an illegal instruction then. So beside AddressSanitizer the runtime,
# and the engine once more for it, are compiled in that way; beside ThreadSanitizer there is none.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/native/rt/*.cc ${PROJECT_SOURCE_DIR}/src/native/rt/*/*.cc)
tarry_threads_here(possible)
if(sources AND possible AND NOT TARRY_SANITIZE MATCHES "thread")
  set(engine tarry_)
  if(TARRY_SANITIZE)
    set(engine tarry_trapping_)
    set(traps -fno-sanitize=all -fsanitize=undefined -fno-sanitize=vptr,null -fsanitize-undefined-trap-on-error)  # null: what a program hands over may be
    foreach(folder native enforce toolchain trace store core base explore)
      tarry_sources(${folder} part)
      list(FILTER part EXCLUDE REGEX "/src/native/driver/")
      if(folder STREQUAL "explore")  # as in ../CMakeLists.txt
        add_library(${engine}${folder} OBJECT ${part})
      else()
        add_library(${engine}${folder} STATIC ${part})
      endif()
      target_link_libraries(${engine}${folder} PRIVATE tarry_flags)
      target_compile_options(${engine}${folder} PRIVATE ${traps})
    endforeach()
  endif()

  # The runtime takes over __cxa_end_catch for the program (rt/calls/library_counts.cc), and the engine in it has one of its own: the linker makes every
  # call of it one of __wrap___cxa_end_catch, and that is what it is called in a copy of the object that libstdc++.a has it in.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a OUTPUT_VARIABLE libstdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(end_catch ${PROJECT_BINARY_DIR}/engine_end_catch.o)
  add_custom_command(OUTPUT ${end_catch} DEPENDS ${libstdcxx} WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM
    COMMAND ${CMAKE_AR} x ${libstdcxx} eh_catch.o
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym __cxa_end_catch=__wrap___cxa_end_catch eh_catch.o ${end_catch})
  set_source_files_properties(${end_catch} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_library(tarry_rt SHARED ${sources} ${end_catch} $<TARGET_OBJECTS:${engine}explore>)
  # Every primitive of rt/posix has a State of its own: no batches there.
  tarry_batch(tarry_rt)
  tarry_precompile(tarry_rt)
  file(GLOB primitives CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/native/rt/posix/*.cc)
  # Nor where functions are taken over by names that headers have for others, or where types must not be known (base/runtime.cc).
  foreach(name calls/format calls/format_functions calls/io_functions threads/reuse calls/static_results calls/library_calls base/runtime)
    list(APPEND primitives ${PROJECT_SOURCE_DIR}/src/native/rt/${name}.cc)
  endforeach()
  set_source_files_properties(${primitives} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(exports ${PROJECT_SOURCE_DIR}/src/native/rt/exports.map)
  set(parts native enforce toolchain trace store core base)
  list(TRANSFORM parts PREPEND ${engine})
  add_dependencies(tarry_rt ${parts})
  list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  target_link_libraries(tarry_rt PRIVATE tarry_flags -Wl,--start-group ${archives} -Wl,--end-group
    -Wl,-Bstatic -lzstd -lxxhash -Wl,-Bdynamic ${CMAKE_DL_LIBS})
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/native/rt/session/debugger.cc PROPERTIES COMPILE_OPTIONS -g SKIP_PRECOMPILE_HEADERS ON)  # gdb reads its table
  target_compile_options(tarry_rt PRIVATE ${traps} -fno-stack-protector -fno-threadsafe-statics -mno-red-zone -mfsgsbase -mcx16 -ftls-model=initial-exec -Wno-pedantic)
  # So it does memcpy and others (rt/calls/memory_functions.cc); the engine calls the real ones.
  set(wrapped __cxa_end_catch memcpy memmove memset memcmp bcmp memchr strlen strcmp strncmp vsnprintf)
  list(TRANSFORM wrapped PREPEND "-Wl,--wrap=")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/native/rt/calls/memory_functions.cc PROPERTIES COMPILE_OPTIONS -fno-builtin SKIP_PRECOMPILE_HEADERS ON)
  target_link_options(tarry_rt PRIVATE -static-libstdc++ -static-libgcc ${wrapped} -Wl,--version-script=${exports} -Wl,-z,now -Wl,-z,nodelete -Wl,-z,defs)
  if(TARRY_SANITIZE)
    target_link_options(tarry_rt PRIVATE -fno-sanitize=all)
  endif()
  set_target_properties(tarry_rt PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${exports};${archives}" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  if(TARGET tarry)
    add_dependencies(tarry tarry_rt)  # whoever builds the tool wants to check programs with it
  endif()

  # libtarry_cxx.so: parts of libstdc++, instrumented (src/native/cxx). Its calls of the instrumentation are found in the runtime.
  file(GLOB instances CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/native/cxx/*.cc)
  add_library(tarry_cxx SHARED ${instances})
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/native/cxx/string_streams_20.cc PROPERTIES COMPILE_OPTIONS -std=c++20)
  set(copies ${PROJECT_SOURCE_DIR}/src/native/driver/copies_are_calls.h)
  target_include_directories(tarry_cxx PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(tarry_cxx PRIVATE -fno-sanitize=all -fsanitize=thread -O1 -g1 -fno-omit-frame-pointer -fno-builtin -w
    $<$<CXX_COMPILER_ID:GNU>:-include> $<$<CXX_COMPILER_ID:GNU>:${copies}>
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-instrument-read-before-write>")
  if(TARRY_SANITIZE)
    target_link_options(tarry_cxx PRIVATE -fno-sanitize=all)
  endif()
  set_target_properties(tarry_cxx PROPERTIES CXX_STANDARD 17 LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  add_dependencies(tarry_rt tarry_cxx)
endif()
