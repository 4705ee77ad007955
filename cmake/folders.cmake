# A folder of src/ is a library. One that has no sources yet is an interface library, so that what links it keeps building.

# The sources of src/<folder>, those of its subfolders included (all but native/rt, native/cxx, native/pass, enforce/rt, trace/render/forms and target, which are libraries of their own), found
# anew at every build.
function(tarry_sources folder result)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/src/(native/rt|native/cxx|native/pass|enforce/rt|trace/render/forms|[^/]+/target)/")
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# tarry_folder(store STATIC tarry_core …) makes tarry_store out of src/store.
function(tarry_folder folder kind)
  tarry_sources(${folder} sources)
  if(sources)
    add_library(tarry_${folder} ${kind} ${sources})
    target_link_libraries(tarry_${folder} PUBLIC tarry_flags ${ARGN})
    if(kind STREQUAL "OBJECT")  # files that register themselves all name their entry `entry`
      tarry_precompile(tarry_${folder})
    else()
      tarry_batch(tarry_${folder})
    endif()
  else()
    add_library(tarry_${folder} INTERFACE)
    target_link_libraries(tarry_${folder} INTERFACE tarry_flags ${ARGN})
  endif()
endfunction()

# Front ends: every folder src/<name>/target registers one. Objects, not archives: the linker drops archive members that nobody names, and with them what they
# register. TARRY_FRONT_ENDS is what a binary links that is to have them.
function(tarry_front_ends)
  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/src/*/target)
  foreach(folder IN LISTS folders)
    cmake_path(GET folder PARENT_PATH parent)
    cmake_path(GET parent FILENAME name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
    add_library(tarry_${name}_target OBJECT ${sources})
    target_link_libraries(tarry_${name}_target PUBLIC tarry_flags tarry_${name} tarry_process tarry_toolchain ${ARGN})
    tarry_batch(tarry_${name}_target)
    list(APPEND all tarry_${name}_target)
  endforeach()
  set(TARRY_FRONT_ENDS ${all} PARENT_SCOPE)
endfunction()

# Compile definitions for the sources of one folder.
function(tarry_define folder)
  get_target_property(type tarry_${folder} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_compile_definitions(tarry_${folder} PRIVATE ${ARGN})
  endif()
endfunction()

file(RELATIVE_PATH TARRY_BIN_TO_INCLUDE /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_INCLUDEDIR})
file(RELATIVE_PATH TARRY_BIN_TO_RUNTIME /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR}/tarry)
