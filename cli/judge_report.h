#pragma once
// What `chuhe judge` prints and draws; the fields of the JSON are described in docs/rules.md.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "xiangqi/rules/explain.h"

namespace chuhe::cli {

/// One ply with its class, threats and exemptions.
nlohmann::json ply_json(const xiangqi::Position& before, const xiangqi::CyclePly& ply,
                        const xiangqi::RuleSet& rules);
nlohmann::json verdict_json(const xiangqi::Verdict& verdict, const xiangqi::GameHistory& history,
                            const xiangqi::RuleSet& rules);

/// Every ply of the game, classified.
std::vector<xiangqi::CyclePly> classify_all(const xiangqi::GameHistory& history,
                                            const xiangqi::RuleSet& rules);

/// An SVG image: the board before the first of the plies, a numbered arrow for each ply in the colour of its
/// class, and below it each ply with its class in words.
std::string plies_svg(std::span<const xiangqi::CyclePly> plies, const xiangqi::GameHistory& history,
                      std::string_view title, xiangqi::Language language);

}  // namespace chuhe::cli
