// A form of reports in one file that touches nothing in src/: `--csv FILE`, a line for each finding. For graph_test.py.
#include <string>
#include <vector>

#include "trace/render/renderer.h"

namespace tarry {
namespace {

std::string render_csv(const std::vector<Report>& reports) {
  std::string out = "target,verdict,kind,steps\n";
  for (const Report& report : reports)
    for (const ReportedFinding& reported : report.findings)
      out += report.target + ',' + name_of(report.verdict) + ',' + reported.finding.kind.name() + ',' + std::to_string(reported.replay ? reported.replay->steps.size() : 0) + '\n';
  return out;
}

const RendererRegistration entry{{.name = "csv", .help = "writes a line for each finding", .whole = render_csv}};

}  // namespace
}  // namespace tarry
