// Streams of wchar_t. What libstdc++ has two versions of, for speed, is the general one for these (streams.cc).
#include "native/cxx/streams.h"

namespace std {

TARRY_STREAMS(wchar_t)
template wostream& operator<<(wostream&, char);
template wostream& operator<<(wostream&, const char*);

}  // namespace std
