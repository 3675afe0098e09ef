#include "cli/judge_report.h"

#include <fmt/format.h>

#include "base/error.h"
#include "xiangqi/notation/diagram.h"
#include "xiangqi/notation/move_text.h"

namespace chuhe::cli {
namespace {

using namespace xiangqi;
using nlohmann::json;

// In the order of PlyClass; dark enough for white figures on them.
constexpr std::string_view kColours[kPlyClasses] = {"#6b7280", "#64748b", "#475569", "#0f766e",
                                                    "#1d4ed8", "#b45309", "#7c3aed", "#b91c1c"};

json both_languages(const auto& text) {
  return {{"en", text(Language::English)}, {"zh", text(Language::Chinese)}};
}

/// Without words: those of a threat that counts differ from those of one that does not.
json threat_json(const Threat& t, const Position& after) {
  json line = json::array();
  for (Move m : t.line) line.push_back(to_uci(m));
  return {{"attacker", point_name(t.attacker)},
          {"attacker_piece", piece_name(t.attacker_piece, Language::English)},
          {"target", point_name(t.target)},
          {"victim", t.victim == Piece::None ? json(nullptr) : json(piece_name(t.victim, Language::English))},
          {"form", name_of(t.form)},
          {"form_zh", chinese_name_of(t.form)},
          {"root", name_of(t.root)},
          {"root_zh", chinese_name_of(t.root)},
          {"strong", t.strong},
          {"line", line},
          {"line_zh", chinese_line(t, after)}};
}

}  // namespace

json ply_json(const Position& before, const CyclePly& ply, const RuleSet& rules) {
  Position after = before;
  after.play(ply.move);
  const PlyFinding& f = ply.finding;
  json threats = json::array(), exempted = json::array();
  for (const Threat& t : f.threats) {
    threats.push_back(threat_json(t, after));
    threats.back()["text"] = both_languages([&](Language l) { return describe(t, after, l); });
  }
  for (const Exempted& e : f.exempted)
    exempted.push_back({{"threat", threat_json(e.threat, after)},
                        {"exemption", name_of(e.exemption)},
                        {"article", article_of(e.exemption, rules)},
                        {"text", both_languages([&](Language l) {
                           return fmt::format(fmt::runtime(l == Language::English ? "{} - {}" : "{}。{}"),
                                              describe(e, after, l), meaning(e.exemption, l));
                         })}});
  return {{"ply", ply.ply + 1},
          {"side", before.side_to_move() == Color::Red ? "red" : "black"},
          {"move", to_uci(ply.move)},
          {"chinese", to_text(before, ply.move, Notation::Chinese)},
          {"class", name_of(f.ply_class)},
          {"class_zh", chinese_name_of(f.ply_class)},
          {"threats", threats},
          {"exempted", exempted},
          {"budget_exceeded", f.budget_exceeded}};
}

json verdict_json(const Verdict& v, const GameHistory& history, const RuleSet& rules) {
  json cycle = json::array();
  Position before = history.position_at(v.cycle.empty() ? history.plies() : v.cycle.front().ply);
  for (const CyclePly& ply : v.cycle) {
    cycle.push_back(ply_json(before, ply, rules));
    before.play(ply.move);
  }
  return {{"rules", rules.name},
          {"outcome", name_of(v.outcome)},
          {"reason", name_of(v.reason)},
          {"must_change", v.must_change},
          {"procedure", both_languages([&](Language l) { return procedure(v, rules, l); })},
          {"article", v.article},
          {"explanation", {{"en", v.explanation}, {"zh", v.chinese_explanation}}},
          {"cycle", cycle},
          {"budget_exceeded", v.budget_exceeded}};
}

std::vector<CyclePly> classify_all(const GameHistory& history, const RuleSet& rules) {
  std::vector<CyclePly> out;
  Position before = history.start();
  for (int ply = 0; ply < history.plies(); ++ply) {
    const Move m = history.facts()[size_t(ply)].move;
    out.push_back({ply, m, classify_ply(before, m, rules, xiangqi::kRefereeBudget)});
    before.play(m);
  }
  return out;
}

namespace {

/// The number behind `name="` in the head of an SVG image that we wrote ourselves.
double svg_size(std::string_view svg, std::string_view name) {
  const size_t at = svg.find(fmt::format(" {}=\"", name));
  CHUHE_CHECK(at != svg.npos, "no {} in the image", name);
  return std::stod(std::string(svg.substr(at + name.size() + 3, 12)));
}

}  // namespace

std::string plies_svg(std::span<const CyclePly> plies, const GameHistory& history, std::string_view title,
                      Language language) {
  CHUHE_CHECK(!plies.empty(), "no plies to draw");
  constexpr int kLine = 26, kMargin = 20;
  const Position start = history.position_at(plies.front().ply);
  Position before = start;
  std::vector<Arrow> arrows;
  std::string legend;
  for (const CyclePly& ply : plies) {
    const PlyClass c = ply.finding.ply_class;
    const std::string colour(kColours[size_t(c)]);
    const std::string number = fmt::format("{}", ply.ply + 1);
    const int y = int(arrows.size()) * kLine + kMargin;
    arrows.push_back({ply.move, colour, number});
    const std::string words =
        language == Language::English
            ? fmt::format("{} {}: {}", name_of(c), chinese_name_of(c), meaning(c, language))
            : fmt::format("{}：{}", chinese_name_of(c), meaning(c, language));
    legend += fmt::format(
        "<circle cx=\"{0}\" cy=\"{1}\" r=\"10\" fill=\"{2}\"/><text x=\"{0}\" y=\"{3}\" fill=\"white\" "
        "font-size=\"11\" "
        "text-anchor=\"middle\">{4}</text><text x=\"{5}\" y=\"{3}\" fill=\"{2}\">{6} {7} {8} {9}</text>\n",
        kMargin + 6, y, colour, y + 4, number, kMargin + 24, side_name(before.side_to_move(), language),
        to_text(before, ply.move, Notation::Chinese), to_uci(ply.move), words);
    before.play(ply.move);
  }
  std::string board = svg_board(start, arrows, title);
  board.erase(0, board.find("<svg"));
  const double width = svg_size(board, "width"), height = svg_size(board, "height");
  const double whole = height + kMargin + double(plies.size()) * kLine;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{2}\n"
      "<g transform=\"translate(0 {3})\" font-family=\"sans-serif\" font-size=\"13\">\n{4}</g>\n</svg>\n",
      width, whole, board, height, legend);
}

}  // namespace chuhe::cli
