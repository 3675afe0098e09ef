#pragma once
// An SVG line chart, made of text: no library draws it, no browser is needed to make it.

#include <string>
#include <vector>

namespace chuhe::run {

struct CurvePoint {
  double x, y, error;  // error: half width of the interval
};
struct ReferenceLine {
  std::string name;
  double y;
};

/// A curve with error bars and named horizontal lines.
std::string draw_curve(const std::string& title, const std::string& x_label, const std::string& y_label,
                       const std::vector<CurvePoint>& points, const std::vector<ReferenceLine>& lines);

}  // namespace chuhe::run
