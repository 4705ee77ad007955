# A folder of src/ is a library. One that has no sources yet is an interface library, so that what links it keeps building.

# The sources of src/<folder>, those of its subfolders included (all but native/rt, native/cxx and enforce/rt, which are libraries of their own), found anew at
# every build.
function(tarry_sources folder result)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/src/(native/rt|native/cxx|enforce/rt)/")
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

# Compile definitions for the sources of one folder.
function(tarry_define folder)
  get_target_property(type tarry_${folder} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_compile_definitions(tarry_${folder} PRIVATE ${ARGN})
  endif()
endfunction()

file(RELATIVE_PATH TARRY_BIN_TO_INCLUDE /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_INCLUDEDIR})
file(RELATIVE_PATH TARRY_BIN_TO_RUNTIME /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR}/tarry)
