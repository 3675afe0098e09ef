#include "xiangqi/cases/case_check.h"

#include <algorithm>

#include "base/error.h"
#include "xiangqi/cases/checks.h"
#include "xiangqi/cases/disputed.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::string_view kFindingNames[kFindings] = {"right", "wrong", "disputed", "unproved", "no test"};

/// A row may hold a position that cannot be, on purpose, to see it refused: its note then says "invalid FEN",
/// and names the squares at fault in brackets.
constexpr std::string_view kInvalidOnPurpose = "invalid FEN";

/// Of all tables of endings together.
constexpr uint64_t kTableBytes = uint64_t(2) << 30;

std::vector<std::string> squares_named(std::string_view note) {
  std::vector<std::string> out;
  std::string words(note);
  std::ranges::replace_if(
      words, [](char ch) { return !std::isalnum(static_cast<unsigned char>(ch)); }, ' ');
  for (const std::string& word : split_words(words))
    if (word.size() == 2 && word[0] >= 'a' && word[0] <= 'i' && word[1] >= '0' && word[1] <= '9')
      out.push_back(word);
  return out;
}

/// The refusal of a FEN, or its acceptance, against what the case wants. True if the other statements can be
/// checked.
bool check_fen(const Case& c, const Expectation& expected, const Result<Position>& position,
               CheckedCase& out) {
  const auto add = [&](Finding finding, std::string wanted) {
    out.statements.push_back(
        {"fen", finding, position.ok() ? "accepted" : "refused: " + position.error(), wanted});
  };
  const size_t declared = c.note.find(kInvalidOnPurpose);
  if (expected.fen_valid) {
    add(position.ok() == *expected.fen_valid ? Finding::Right : Finding::Wrong,
        *expected.fen_valid ? "accepted" : "refused");
  } else if (declared != std::string::npos) {
    const std::vector<std::string> squares = squares_named(std::string_view(c.note).substr(declared));
    const bool named = !position.ok() && std::ranges::all_of(squares, [&](const std::string& s) {
      return position.error().find(s) != std::string::npos;
    });
    add(named ? Finding::Right : Finding::Wrong, fmt::format("refused, naming {}", fmt::join(squares, ", ")));
  } else if (!position.ok()) {
    add(Finding::Wrong, "accepted");
  }
  return position.ok();
}

/// Empty, or which of the texts is no move.
std::string read_moves(const Case& c, std::vector<Move>& moves) {
  for (const std::string& text : c.moves) {
    moves.push_back(parse_uci(text));
    if (!moves.back()) return fmt::format("move {}, '{}', is no move such as h2e2", moves.size(), text);
  }
  return {};
}

/// Once there are more than `limit` leaves it stops; so a depth with too small a number behind it ends, too.
uint64_t perft_up_to(const Position& position, int depth, uint64_t limit) {
  if (depth == 1) return perft(position, 1);
  uint64_t leaves = 0;
  for (Move m : position.legal_moves()) {
    Position next = position;
    next.play(m);
    leaves += perft_up_to(next, depth - 1, limit - leaves);
    if (leaves > limit) break;
  }
  return leaves;
}

void check_perft(PlayedCase& c, const CaseOptions& options) {
  for (const PerftCount& count : c.expected.perft) {
    if (count.leaves > kLongPerft && !options.deep) {
      ++c.result.skipped;
      continue;
    }
    const uint64_t limit = std::max(count.leaves, kLongPerft);
    const uint64_t leaves = perft_up_to(c.last, count.depth, limit);
    c.compare(fmt::format("depth {}", count.depth),
              leaves > limit ? fmt::format("more than {}", limit) : fmt::format("{}", leaves),
              fmt::format("{}", count.leaves));
  }
}

void check_legal(PlayedCase& c) {
  const MoveList legal = c.last.legal_moves();
  if (c.expected.legal_count)
    c.compare("count", std::to_string(legal.size()), std::to_string(*c.expected.legal_count));
  const auto one = [&](Move m, bool wanted) {
    const auto shown = [&](bool is_legal) { return to_uci(m) + (is_legal ? " legal" : " illegal"); };
    // Two ways to the same answer: neither may be wrong.
    const bool said = c.last.is_legal(m);
    c.add("move", said == wanted && legal.contains(m) == wanted ? Finding::Right : Finding::Wrong,
          shown(said == wanted ? legal.contains(m) : said), shown(wanted));
  };
  for (Move m : c.expected.legal) one(m, true);
  for (Move m : c.expected.illegal) one(m, false);
  if (!c.expected.only) return;
  std::vector<Move> said(legal.begin(), legal.end()), wanted = *c.expected.only;
  std::ranges::sort(said);
  std::ranges::sort(wanted);
  c.compare("list", to_text(said), to_text(wanted));
}

void check_status(PlayedCase& c) {
  const bool in_check = c.last.in_check(), moves = c.last.has_legal_move();
  const std::string said = moves ? in_check ? "check" : "no check" : in_check ? "checkmate" : "stalemate";
  if (c.expected.check)
    c.add("check", in_check == *c.expected.check ? Finding::Right : Finding::Wrong, said,
          *c.expected.check ? "check" : "no check");
  if (c.expected.stalemate) c.compare("stalemate", said, "stalemate");
  if (c.expected.checkmate) c.compare("checkmate", said, "checkmate");
}

Finding outcome_of(const std::vector<CheckedStatement>& statements) {
  for (Finding f : {Finding::Wrong, Finding::Disputed, Finding::Unproved})
    if (std::ranges::any_of(statements, [f](const CheckedStatement& s) { return s.finding == f; })) return f;
  return Finding::Right;
}

}  // namespace

std::string_view name_of(Finding f) {
  return kFindingNames[int(f)];
}

std::string to_text(const std::vector<Move>& moves) {
  std::string out;
  for (Move m : moves) {
    if (!out.empty()) out += ',';
    out += to_uci(m);
  }
  return out;
}

std::string play_all(Position& p, const std::vector<Move>& moves) {
  for (size_t i = 0; i < moves.size(); ++i) {
    if (!p.is_legal(moves[i]))
      return fmt::format("move {}, {}, is not legal in {}", i + 1, to_uci(moves[i]), p.to_fen());
    p.play(moves[i]);
  }
  return {};
}

struct CaseChecker::State {
  CaseOptions options;
  MateSolver solver;
  EndgameTables tables{kTableBytes};
};

CaseChecker::CaseChecker(const CaseOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
CaseChecker::~CaseChecker() = default;

CheckedCase CaseChecker::check(const Case& c, const Expectation& expected) {
  CheckedCase result;
  const Result<Position> start = Position::from_fen(c.fen);
  if (check_fen(c, expected, start, result)) {
    PlayedCase played{c, expected, *start, *start, {}, result};
    std::string wrong = read_moves(c, played.moves);
    if (wrong.empty()) wrong = play_all(played.last, played.moves);
    if (!wrong.empty()) {
      played.add("moves", Finding::Wrong, std::move(wrong), "legal moves");
    } else {
      try {
        check_perft(played, state_->options);
        check_legal(played);
        check_status(played);
        check_mate(played, state_->solver);
        check_gain(played);
        check_repetition(played);
        check_endgame(played, state_->tables, state_->solver);
        check_notation(played);
      } catch (const Error& e) {
        played.add("error", Finding::Wrong, e.what(), "an answer");
      }
    }
  }
  if (result.statements.empty() && result.skipped == 0)
    result.statements.push_back({"case", Finding::Wrong, "nothing to check", "a statement"});
  excuse_disputed(c, result.statements);
  result.outcome = outcome_of(result.statements);
  return result;
}

}  // namespace chuhe::xiangqi
