// Streams of wchar_t. If libstdc++ has two versions of a function, for speed, this is the general one (streams.cc).
#include "native/cxx/streams.h"

namespace std {

TARRY_STREAMS(wchar_t)
template wostream& operator<<(wostream&, char);
template wostream& operator<<(wostream&, const char*);

}  // namespace std
