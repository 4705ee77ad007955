# How everything here is compiled. For x86-64 from 2009 on (SSE4.2, POPCNT); code that wants more asks for it by itself.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # the engine is part of libtarry_rt.so too

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")

# A target of ours gets these; what is found elsewhere (GoogleTest's headers, …) does not.
add_library(tarry_flags INTERFACE)
target_compile_options(tarry_flags INTERFACE -march=x86-64-v2 -Wall -Wextra -Wpedantic -Wshadow -fno-plt
  # Designated initializers leave fields to their defaults on purpose.
  -Wno-missing-field-initializers
  # g++ 12 sees overlaps and overruns in std::string that are not there (its bugs 105651, 105329).
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overread;-Wno-stringop-overflow>"
  $<$<BOOL:${TARRY_WERROR}>:-Werror>)
target_include_directories(tarry_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)

if(TARRY_SANITIZE)
  # For everything, the linker too: half a program under a sanitizer reports nonsense.
  add_compile_options(-fsanitize=${TARRY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TARRY_SANITIZE})
  # The compiler sees uninitialized values in what the sanitizers add.
  target_compile_options(tarry_flags INTERFACE -Wno-maybe-uninitialized)
endif()

include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld TARRY_HAVE_LLD)
if(TARRY_HAVE_LLD)
  add_link_options(-fuse-ld=lld)
endif()
