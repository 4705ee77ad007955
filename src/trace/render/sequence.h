// A chart of who sends what to whom: machines as columns, time going down, one thing a row. Where the columns do not fit, a list.
//
//              Main(1)     Server(2)   Client(3)
//    1  M.p:4  │ [Init]
//       M.p:5  ├───new────▶┬
// >  2  S.p:3  │           │ [Serving]
// >  3  C.p:9  │           │◀──eAsk────┤ <from:Client(3), n:1, >
#pragma once

#include <string>

#include "trace/render/text.h"

namespace tarry {

/// Is there anything to draw?
bool has_happenings(const Replay& replay);

/// The chart or the list, then the values of those that failed (all with `verbose`), then the line of the finding.
std::string render_sequence(const Replay& replay, const Finding& finding, const RenderOptions& options);

}  // namespace tarry
