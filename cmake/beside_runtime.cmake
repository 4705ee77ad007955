# What lies beside libtarry_rt.so, in the build as in an installation, and the other names of the tool.
#   link/libtsan.so   the library under the name that gcc links by itself for -fsanitize=thread (native/driver/compile.h)
#   gdb.py            the commands of `tarry replay --gdb`
#   copies_are_calls.h  what 'tarry cc' has gcc include in front
#   tarry-cc, tarry-c++  the tool as a compiler whose name is one word
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib/link ${PROJECT_BINARY_DIR}/bin)
file(CREATE_LINK ../libtarry_rt.so ${PROJECT_BINARY_DIR}/lib/link/libtsan.so SYMBOLIC)
configure_file(src/native/driver/gdb.py lib/gdb.py COPYONLY)
configure_file(src/native/driver/copies_are_calls.h lib/copies_are_calls.h COPYONLY)
foreach(name tarry-cc tarry-c++)
  file(CREATE_LINK tarry ${PROJECT_BINARY_DIR}/bin/${name} SYMBOLIC)
endforeach()
