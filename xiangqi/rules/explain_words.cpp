// The words of explain.h: one row per class, exemption, root and piece, English beside Chinese.

#include <algorithm>
#include <array>

#include "base/error.h"
#include "xiangqi/notation/move_text.h"
#include "xiangqi/rules/explain.h"

namespace chuhe::xiangqi {
namespace {

struct Words {
  std::string_view english, chinese;
  std::string_view in(Language l) const { return l == Language::English ? english : chinese; }
};

// In the order of the enums.
constexpr std::array<Words, kPlyClasses> kClasses{{
    {"neither attacks, offers, blocks nor follows", "闲着"},
    {"shadows a protected piece", "尾随对方有根子，未捉"},
    {"stands in the way of an enemy piece", "拦阻对方子力，未捉"},
    {"offers an unprotected piece to a piece of the same kind", "以无根子送吃，对方同类子可吃"},
    {"offers a protected piece for an equal one", "以有根子邀兑等值子"},
    {"threatens to win material next", "下一着可得子"},
    {"threatens mate by consecutive checks", "下一着起可连将成杀"},
    {"attacks the king", "照将"},
}};

constexpr std::array<Words, kExemptions> kExemptionWords{{
    {"a king's own attack is an idle move", "将（帅）本身捉子，按闲处理"},
    {"a pawn's own attack is an idle move", "兵（卒）本身捉子，按闲处理"},
    {"the attack stood before the move, which adds nothing to it", "此捉走子前已存在，并非本着所生"},
    {"the capturer would be mated at once", "得子后立即被将死，不作捉"},
    {"the capturer would be won back by consecutive checks, so the target is protected after all",
     "得子后被对方连续照将抽回，有暗根，按有根处理"},
    {"the king only stepped out of check; what this uncovers is an idle move",
     "将（帅）避将所生之捉、杀，按闲处理"},
    {"they are of one kind: an offer to exchange", "同类子，属邀兑，不作捉"},
    {"the opponent's own check brought this mate upon it, the move only answered the check",
     "对方照将自毙，应将一方不作杀"},
    {"a lone attacker holding the draw attacks only an advisor or elephant",
     "单子守和，附带捉士、象（相），按闲处理"},
    {"the capture would lay a dearer piece open: each would take his own", "各吃各子，得不偿失，不作捉"},
}};

constexpr std::array<Words, 4> kRoots{{
    {"unprotected", "无根"},
    {"falsely protected", "假根"},
    {"insufficiently protected", "少根"},
    {"protected but dearer", "有根"},
}};

constexpr std::array<std::string_view, kPieceTypes> kPieceNames{"king", "advisor", "elephant", "horse",
                                                                "rook", "cannon",  "pawn"};

}  // namespace

Language language(std::string_view name) {
  if (name == "en") return Language::English;
  if (name == "zh") return Language::Chinese;
  throw Error("unknown language '{}', expected en or zh", name);
}

std::string_view meaning(PlyClass c, Language language) {
  return kClasses[size_t(c)].in(language);
}
std::string_view meaning(Exemption e, Language language) {
  return kExemptionWords[size_t(e)].in(language);
}
std::string_view meaning(Root r, Language language) {
  return kRoots[size_t(r)].in(language);
}

std::string_view piece_name(Piece piece, Language language) {
  if (piece == Piece::None) return language == Language::English ? "nothing" : "空";
  if (language == Language::English) return kPieceNames[size_t(type_of(piece))];
  return chinese_sign(piece);
}

std::string_view side_name(Color side, Language language) {
  constexpr Words kSides[] = {{"Red", "红方"}, {"Black", "黑方"}};
  return kSides[size_t(side)].in(language);
}

std::string point_name(Square s) {
  return to_uci(Move(s, s)).substr(0, 2);
}

std::string_view article_of(Exemption e, const RuleSet& rules) {
  const auto found = std::ranges::find(rules.exemptions, e, &ExemptionClause::exemption);
  return found == rules.exemptions.end() ? "-" : found->article;
}

}  // namespace chuhe::xiangqi
