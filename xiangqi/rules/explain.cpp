#include "xiangqi/rules/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "xiangqi/notation/move_text.h"

namespace chuhe::xiangqi {
namespace {

/// Of one ply: one threat is enough for its class, and a rook's run of checks may begin in many ways.
constexpr size_t kThreatsShown = 3;

bool english(Language l) {
  return l == Language::English;
}

const Clause* clause_of(const Verdict& v, const RuleSet& rules) {
  const auto found = std::ranges::find(rules.clauses, v.article, &Clause::article);
  return found == rules.clauses.end() ? nullptr : &*found;
}

/// "26.3、29.8"
std::string chinese_articles(std::string_view articles) {
  std::string out(articles);
  for (size_t at; (at = out.find(", ")) != out.npos;) out.replace(at, 2, "、");
  return out;
}

/// "(24.3)" with what comes before it, or nothing without an article.
std::string in_brackets(std::string_view article, Language l) {
  if (article.empty() || article == "-") return {};
  return fmt::format(fmt::runtime(english(l) ? " ({})" : "（{}）"), article);
}

std::string chinese_count(int n) {
  constexpr std::array<std::string_view, 9> kDigits{"一", "二", "三", "四", "五", "六", "七", "八", "九"};
  return n >= 1 && n <= 9 ? std::string(kDigits[size_t(n - 1)]) : fmt::format("{}", n);
}

/// What a side did in the cycle, in a few words: 长捉, 一将一闲, 二捉一闲.
std::string conduct(const std::array<int, kPlyClasses>& counts, Language l) {
  int kinds = 0, last = 0;
  for (int c = 0; c < kPlyClasses; ++c)
    if (counts[size_t(c)]) {
      ++kinds;
      last = c;
    }
  if (kinds == 1 && english(l)) return fmt::format("{} with every move", name_of(PlyClass(last)));
  if (kinds == 1 && PlyClass(last) == PlyClass::Idle) return "均为闲着";
  if (kinds == 1) return fmt::format("长{}", chinese_name_of(PlyClass(last)));
  std::string out;
  for (int c = kPlyClasses - 1; c >= 0; --c) {  // the heaviest first
    const int n = counts[size_t(c)];
    if (!n) continue;
    out += english(l) ? fmt::format("{}{} {}", out.empty() ? "" : ", ", n, name_of(PlyClass(c)))
                      : fmt::format("{}{}", chinese_count(n), chinese_name_of(PlyClass(c)));
  }
  return out;
}

/// One line on what a side's moves amount to.
std::string side_line(const Verdict& v, const RuleSet& rules, const Position& start, Color side, Language l) {
  std::array<int, kPlyClasses> counts{};
  Color mover = start.side_to_move();
  bool attacks = true, any = false;
  for (const CyclePly& ply : one_round(v)) {
    if (mover == side) {
      ++counts[size_t(ply.finding.ply_class)];
      attacks &= is_attack(ply.finding.ply_class);
      any = true;
    }
    mover = ~mover;
  }
  if (!any) return {};
  std::string out = fmt::format(fmt::runtime(english(l) ? "  {}: {}" : "　　{}：{}"), side_name(side, l),
                                conduct(counts, l));
  if (rules.detector == Detector::Chinese) {
    const Clause* clause = clause_of(v, rules);
    // 27.2 of 1999: among mutual attacks pawns' attacks count, though by themselves they are idle.
    const bool by_pawns = !attacks && clause && clause->predicate == Predicate::AllAttacksMutual;
    if (english(l)) {
      out += by_pawns  ? ", of which its pawns' attacks count, as the other side attacks with every move "
                         "(27.2): forbidden"
             : attacks ? ": forbidden"
                       : ": allowed";
    } else {
      out += by_pawns  ? "，对方长打，兵（卒）之捉按捉处理（27.2），属禁止着法"
             : attacks ? "，属禁止着法"
                       : "，属允许着法";
    }
  }
  return out + "\n";
}

std::string piece_at(Piece piece, Square s, Language l) {
  return fmt::format(fmt::runtime(english(l) ? "{} {}" : "{}（{}）"), piece_name(piece, l), point_name(s));
}

/// The pieces behind a check, or "".
std::string checkers_text(const Position& after, Language l) {
  std::vector<std::string> names;
  for (Bitboard b = after.checkers(); b;) {
    const Square s = b.pop();
    names.push_back(piece_at(after.piece_on(s), s, l));
  }
  return fmt::format("{}", fmt::join(names, english(l) ? ", " : "、"));
}

std::string gain_text(const Threat& t, Language l) {
  if (english(l))
    return t.strong >= 2   ? "two strong pieces' worth"
           : t.strong == 1 ? "one strong piece"
                           : "a weak piece or a pawn";
  return t.strong >= 2 ? "得二强子" : t.strong == 1 ? "得一强子" : "得弱子或兵卒";
}

/// The line in words: English also by its squares.
std::string line_text(const Threat& t, const Position& after, Language l) {
  if (t.line.empty()) return {};
  std::vector<std::string> squares;
  for (Move m : t.line) squares.push_back(to_uci(m));
  return fmt::format(fmt::runtime(english(l) ? ": {} ({})" : "：{}（{}）"),
                     fmt::join(chinese_line(t, after), " "), fmt::join(squares, " "));
}

}  // namespace

std::span<const CyclePly> one_round(const Verdict& v) {
  const std::span<const CyclePly> all = v.cycle;
  for (size_t n = 4; n <= all.size() / 2; n += 2)
    if (all.size() % n == 0 &&
        std::ranges::equal(all.first(all.size() - n), all.subspan(n), {}, &CyclePly::move, &CyclePly::move))
      return all.last(n);
  return all;
}

Color offender(const Verdict& v) {
  return v.outcome == Outcome::RedWins ? Color::Black : Color::Red;
}

std::string ruling(const Verdict& v, Language l) {
  if (v.outcome == Outcome::Draw) return english(l) ? "draw" : "判和";
  const std::string_view side = side_name(offender(v), l);
  if (!v.must_change) return english(l) ? fmt::format("{} loses", side) : fmt::format("{}判负", side);
  return english(l) ? fmt::format("{} must change; if it does not, it loses", side)
                    : fmt::format("{}变着，不变判负", side);
}

std::vector<std::string> chinese_line(const Threat& threat, const Position& after) {
  Position p = after.after_pass();
  std::vector<std::string> out;
  bool fits = true;
  for (Move m : threat.line) {
    fits = fits && p.is_pseudo_legal(m);
    out.push_back(fits ? to_text(p, m, Notation::Chinese) : to_uci(m));
    if (fits) p.play(m);
  }
  return out;
}

std::string describe(const Threat& t, const Position& after, Language l) {
  const std::string attacker = piece_at(t.attacker_piece, t.attacker, l);
  const std::string victim = piece_at(t.victim, t.target, l);
  const std::string_view root = meaning(t.root, l);
  std::string out;
  switch (t.form) {
    case GainForm::Direct:
      out = english(l) ? fmt::format("{} takes the {} {}", attacker, root, victim)
                       : fmt::format("{}直接捉{}{}", attacker, root, victim);
      break;
    case GainForm::Exchange:
      out = english(l) ? fmt::format("{} takes the {} {} and wins {} by the exchange", attacker, root, victim,
                                     gain_text(t, l))
                       : fmt::format("{}捉{}{}，交换得子（{}）", attacker, root, victim, gain_text(t, l));
      break;
    case GainForm::Checks:
      if (english(l)) {
        out = fmt::format("{} wins {} by consecutive checks, the first on {}", attacker, gain_text(t, l),
                          point_name(t.target));
        if (t.victim != Piece::None) out += fmt::format(", taking the {}", piece_name(t.victim, l));
      } else {
        out = fmt::format("{}连续照将抽吃（{}）", attacker, gain_text(t, l));
      }
      break;
    case GainForm::Mate:
      out = english(l) ? fmt::format("{} mates by consecutive checks, the first on {}", attacker,
                                     point_name(t.target))
                       : fmt::format("{}连续照将成杀", attacker);
      break;
  }
  return out + line_text(t, after, l);
}

std::string describe(const Exempted& e, const Position& after, Language l) {
  const Threat& t = e.threat;
  const std::string attacker = piece_at(t.attacker_piece, t.attacker, l);
  const std::string victim = piece_at(t.victim, t.target, l);
  if (e.exemption == Exemption::SameTypeExchange && t.victim != Piece::None)
    return fmt::format(fmt::runtime(english(l) ? "{} and {} attack each other" : "{}与{}互捉"), attacker,
                       victim);
  std::string out;
  if (t.form == GainForm::Mate)
    out =
        fmt::format(fmt::runtime(english(l) ? "{} mates by consecutive checks" : "{}连续照将成杀"), attacker);
  else if (t.form == GainForm::Checks)
    out = fmt::format(fmt::runtime(english(l) ? "{} wins material by consecutive checks" : "{}连续照将抽吃"),
                      attacker);
  else
    out = fmt::format(fmt::runtime(english(l) ? "{} attacks {}" : "{}捉{}"), attacker, victim);
  return out + line_text(t, after, l);
}

std::string explain_ply(const Position& before, const CyclePly& ply, const RuleSet& rules, Language l) {
  Position after = before;
  after.play(ply.move);
  const PlyFinding& f = ply.finding;
  const Color side = before.side_to_move();
  const std::string chinese = to_text(before, ply.move, Notation::Chinese);
  std::string out = english(l)
                        ? fmt::format("{:4}. {:<5} {} {}  {} {}", ply.ply + 1, side_name(side, l), chinese,
                                      to_uci(ply.move), name_of(f.ply_class), chinese_name_of(f.ply_class))
                        : fmt::format("{:4}. {} {}（{}） {}", ply.ply + 1, side_name(side, l), chinese,
                                      to_uci(ply.move), chinese_name_of(f.ply_class));
  if (f.ply_class == PlyClass::Check)
    out += fmt::format(fmt::runtime(english(l) ? ": {1} ({0})" : "：{0}{1}"), checkers_text(after, l),
                       meaning(f.ply_class, l));
  else if (f.ply_class != PlyClass::Idle)
    out += fmt::format(fmt::runtime(english(l) ? ": {}" : "：{}"), meaning(f.ply_class, l));
  out += '\n';
  const size_t shown = std::min(f.threats.size(), kThreatsShown);
  for (size_t i = 0; i < shown; ++i) out += fmt::format("        {}\n", describe(f.threats[i], after, l));
  if (const size_t more = f.threats.size() - shown)
    out += fmt::format(fmt::runtime(english(l) ? "        and {} more\n" : "        另有{}处\n"), more);
  for (const Exempted& e : f.exempted)
    out += fmt::format(
        fmt::runtime(english(l) ? "        not counted: {} - {}{}\n" : "        不计：{}。{}{}\n"),
        describe(e, after, l), meaning(e.exemption, l), in_brackets(article_of(e.exemption, rules), l));
  if (f.budget_exceeded)
    out += english(l) ? "        the search for threats stopped at its limit: one may have been missed\n"
                      : "        计算已达上限，或有遗漏\n";
  return out;
}

std::string procedure(const Verdict& v, const RuleSet& rules, Language l) {
  const Procedure& p = rules.procedure;
  if (v.outcome == Outcome::Draw)
    return (english(l) ? "the game is declared drawn at once; nobody has to change"
                       : "立即判和，双方均无须变着") +
           in_brackets(p.draw_article, l);
  const std::string_view side = side_name(offender(v), l);
  if (!v.must_change)
    return (english(l) ? fmt::format("{} loses at once, without being told to change", side)
                       : fmt::format("{}立即判负，不予变着", side)) +
           in_brackets(p.loses_article, l);
  return (english(l) ? fmt::format("{} is told to change at once; {}, it loses", side, p.limit)
                     : fmt::format("{}须立即变着，{}", side, p.chinese_limit)) +
         in_brackets(p.change_article, l);
}

std::string explain(const Verdict& v, const GameHistory& history, const RuleSet& rules, Language l) {
  const int first = v.cycle.empty() ? history.plies() : one_round(v).front().ply;
  Position before = history.position_at(first);
  std::string out;
  if (english(l)) {
    out += fmt::format("Ruling: {}.\nRules: {}, {}.\nArticle {}: {}.\n", ruling(v, l), rules.name,
                       rules.title, v.article, v.explanation);
  } else {
    out += fmt::format("裁决：{}。\n规则：{}（{}）。\n依据：棋例{}：{}。\n", ruling(v, l),
                       rules.chinese_title, rules.name, chinese_articles(v.article), v.chinese_explanation);
  }
  for (Color side : {Color::Red, Color::Black}) out += side_line(v, rules, before, side, l);
  out += english(l)
             ? fmt::format("Procedure: {}.\nThe cycle of {} plies (the position has occurred {} times):\n",
                           procedure(v, rules, l), one_round(v).size(), history.occurrences())
             : fmt::format("处理：{}。\n循环着法（{}着，局面第{}次出现）：\n", procedure(v, rules, l),
                           one_round(v).size(), history.occurrences());
  for (const CyclePly& ply : one_round(v)) {
    out += explain_ply(before, ply, rules, l);
    before.play(ply.move);
  }
  if (v.budget_exceeded)
    out += english(l)
               ? "Remark: a search stopped at its limit (budget exceeded): a threat may have been missed.\n"
               : "注：计算已达上限，或有漏判之捉、杀。\n";
  return out;
}

}  // namespace chuhe::xiangqi
