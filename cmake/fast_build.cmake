# How the build is kept short: parsing the standard library takes longer than compiling most of our files.
#   tarry_batch(target)       compiles ten files at a time as one, so that they share what they include
#   tarry_precompile(target)  parses the usual headers once; for targets whose files reuse names in their unnamed namespaces
# The debug preset does neither: there every file is compiled on its own, which shows a missing #include.
set(TARRY_USUAL_HEADERS <algorithm> <array> <atomic> <cstdint> <cstring> <filesystem> <functional> <map> <memory> <mutex> <optional>
  <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

function(tarry_batch target)
  if(TARRY_FAST_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
endfunction()

# tarry_batch_by_folder(native abi races …): one batch for each of these subfolders of src/native.
function(tarry_batch_by_folder folder)
  if(TARRY_FAST_BUILD)
    set_target_properties(tarry_${folder} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    foreach(subfolder IN LISTS ARGN)
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/${subfolder}/*.cc)
      set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${folder}_${subfolder})
    endforeach()
  endif()
endfunction()

# tarry_precompile(target [header…]): the headers beside the usual ones.
function(tarry_precompile target)
  if(TARRY_FAST_BUILD)
    target_precompile_headers(${target} PRIVATE ${TARRY_USUAL_HEADERS} ${ARGN})
  endif()
endfunction()

# tarry_precompile_like(target other): reuses the precompiled headers of a target that is compiled with the same flags.
function(tarry_precompile_like target other)
  if(TARRY_FAST_BUILD)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()
