# Makes the man page: TO is FROM with the version, and with what `TOOL help --manual` prints in place of @MANUAL@.
execute_process(COMMAND ${TOOL} help --manual OUTPUT_VARIABLE manual COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FROM} text)
string(REPLACE "@PROJECT_VERSION@" "${VERSION}" text "${text}")
string(REPLACE "@MANUAL@" "${manual}" text "${text}")
file(WRITE ${TO} "${text}")
