#include "run/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace chuhe::run {
namespace {

constexpr double kWidth = 800, kHeight = 450, kLeft = 70, kRight = 130, kTop = 50, kBottom = 55;

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// A round step (1, 2 or 5 times a power of ten) that gives about `count` ticks.
double tick_step(double span, int count) {
  const double raw = span / count, power = std::pow(10, std::floor(std::log10(raw)));
  for (double m : {1.0, 2.0, 5.0})
    if (m * power >= raw) return m * power;
  return 10 * power;
}

struct Axis {
  double min, max, from, to;  // values, pixels
  double at(double v) const { return from + (v - min) / (max - min) * (to - from); }
};

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' {}/>\n", x1, y1, x2, y2, style);
}
std::string text(double x, double y, const std::string& t, const char* style) {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' {}>{}</text>\n", x, y, style, escaped(t));
}

}  // namespace

std::string draw_curve(const std::string& title, const std::string& x_label, const std::string& y_label,
                       const std::vector<CurvePoint>& points, const std::vector<ReferenceLine>& lines) {
  double x_max = 1, y_min = 0, y_max = 1;
  for (const CurvePoint& p : points) {
    x_max = std::max(x_max, p.x);
    y_min = std::min(y_min, p.y - p.error);
    y_max = std::max(y_max, p.y + p.error);
  }
  for (const ReferenceLine& l : lines) {
    y_min = std::min(y_min, l.y);
    y_max = std::max(y_max, l.y);
  }
  const double margin = 0.05 * (y_max - y_min);
  const Axis x{0, x_max, kLeft, kWidth - kRight}, y{y_min - margin, y_max + margin, kHeight - kBottom, kTop};
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
      "font-family='sans-serif' font-size='12'>\n"
      "<rect width='{0}' height='{1}' fill='white'/>\n",
      kWidth, kHeight);
  svg += text(kWidth / 2, 25, title, "text-anchor='middle' font-size='16'");
  svg += text((kLeft + kWidth - kRight) / 2, kHeight - 12, x_label, "text-anchor='middle'");
  svg += text(16, (kTop + kHeight - kBottom) / 2, y_label,
              "text-anchor='middle' transform='rotate(-90 16 222)'");
  const double y_step = tick_step(y.max - y.min, 8), x_step = std::max(1.0, tick_step(x_max, 10));
  for (double v = std::ceil(y.min / y_step) * y_step; v <= y.max; v += y_step) {
    svg += line(x.from, y.at(v), x.to, y.at(v), "stroke='#ddd'");
    svg += text(x.from - 6, y.at(v) + 4, fmt::format("{:.0f}", std::abs(v) < y_step / 2 ? 0.0 : v),
                "text-anchor='end'");
  }
  for (double v = 0; v <= x_max; v += x_step)
    svg += text(x.at(v), y.from + 18, fmt::format("{:.0f}", v), "text-anchor='middle'");
  svg += line(x.from, y.from, x.to, y.from, "stroke='#444'") +
         line(x.from, y.from, x.from, y.to, "stroke='#444'");
  for (const ReferenceLine& l : lines) {
    svg += line(x.from, y.at(l.y), x.to, y.at(l.y), "stroke='#b33' stroke-dasharray='6 4'");
    svg += text(x.to + 6, y.at(l.y) + 4, fmt::format("{} {:.0f}", l.name, l.y), "fill='#b33'");
  }
  std::string path;
  for (const CurvePoint& p : points) {
    path += fmt::format("{}{:.1f} {:.1f} ", path.empty() ? "M" : "L", x.at(p.x), y.at(p.y));
    svg += line(x.at(p.x), y.at(p.y - p.error), x.at(p.x), y.at(p.y + p.error),
                "stroke='#36c' stroke-opacity='0.5'");
    svg += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.5' fill='#36c'/>\n", x.at(p.x), y.at(p.y));
  }
  if (!path.empty()) svg += fmt::format("<path d='{}' fill='none' stroke='#36c' stroke-width='2'/>\n", path);
  return svg + "</svg>\n";
}

}  // namespace chuhe::run
