#pragma once
// A verdict in words, as a referee would give it.

#include <string>

#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {

enum class Language : uint8_t { English, Chinese };
/// A text of several lines that a referee could read out: who, why, the article, the cycle with its classes,
/// targets and exemptions.
std::string explain(const Verdict& verdict, const GameHistory& history, const RuleSet& rules,
                    Language language = Language::English);

}  // namespace chuhe::xiangqi
