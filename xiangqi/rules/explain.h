#pragma once
// A verdict in words, as a referee would give it, in English and in Chinese. Plies are numbered from 1.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {

enum class Language : uint8_t { English, Chinese };
/// "en" or "zh"; throws Error for anything else.
Language language(std::string_view name);

/// A text of several lines that a referee could read out: who loses or that it is a draw, by which article,
/// whether the offender must first be told to change, and the cycle ply by ply (explain_ply).
std::string explain(const Verdict& verdict, const GameHistory& history, const RuleSet& rules,
                    Language language = Language::English);

/// The plies that the verdict's stretch consists of when it is one cycle played several times: its last
/// round; else all of them.
std::span<const CyclePly> one_round(const Verdict& verdict);

/// The outcome in one clause: "Red must change; if it does not, it loses".
std::string ruling(const Verdict& verdict, Language language);

/// The side that the verdict goes against; not for a draw.
Color offender(const Verdict& verdict);

/// One line with the move, its class and what the class means; below it a line for each of the first three
/// threats and for each threat that does not count, with the article.
std::string explain_ply(const Position& before, const CyclePly& ply, const RuleSet& rules, Language language);

/// What follows from the verdict for the players: a draw or a loss at once, or by when the offender has to
/// change. The article in brackets where the rule set has one.
std::string procedure(const Verdict& verdict, const RuleSet& rules, Language language);

/// One sentence without its full stop: the threat and a way to carry it out. `after`: the position after the
/// ply that threatens.
std::string describe(const Threat& threat, const Position& after, Language language);

/// The same for a threat that does not count: who attacks whom, without a gain.
std::string describe(const Exempted& exempted, const Position& after, Language language);

/// What the class claims of a ply, and why a threat is not counted.
std::string_view meaning(PlyClass c, Language language);
std::string_view meaning(Exemption e, Language language);
std::string_view meaning(Root r, Language language);
/// "rook", "车"; the Chinese names of the two sides differ (帅, 将).
std::string_view piece_name(Piece piece, Language language);
std::string_view side_name(Color side, Language language);
std::string point_name(Square s);  // "e2"
/// The article by which the rule set grants the exemption; "-" if it does not.
std::string_view article_of(Exemption e, const RuleSet& rules);

/// A threat's line, each move in Chinese notation; one that no longer fits its position is given as two
/// squares.
std::vector<std::string> chinese_line(const Threat& threat, const Position& after);

}  // namespace chuhe::xiangqi
