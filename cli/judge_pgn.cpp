#include "cli/judge_pgn.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "cli/judge_report.h"

namespace chuhe::cli {
namespace {

using namespace xiangqi;
using nlohmann::json;

struct Repetition {
  int ply;          // after which the position stood again
  int occurrences;  // including this one
  Verdict verdict;
};

/// A game as the rules see it.
struct Review {
  const RuleSet* rules;
  GameHistory history;
  std::vector<Repetition> repetitions;
  std::optional<GameEnd> end;  // the first by the rules
  int end_ply = 0;
  std::optional<bool> agrees;  // of the header's result; nothing if the rules or the header leave it open
};

std::string_view result_text(Outcome o) {
  return o == Outcome::Draw ? "1/2-1/2" : o == Outcome::RedWins ? "1-0" : "0-1";
}

/// Told to change at this ply, did the offender do so? It did if the game went on without the position coming
/// back.
bool changed(const GameHistory& game, int ply) {
  const auto later = game.facts().subspan(size_t(ply));
  return !later.empty() &&
         std::ranges::find(later, game.facts()[size_t(ply - 1)].key, &PlyFacts::key) == later.end();
}

Review review_of(const PgnGame& game, const std::string& requested) {
  const RuleSet& rules = rules_of(game, requested);
  Review r{&rules, history_of(game, rules), {}, {}, 0, {}};
  GameHistory so_far(game.start, rules.natural_limit_checks);
  xiangqi::JudgeMemory memory(xiangqi::kRefereeBudget);
  for (int ply = 0; ply <= r.history.plies(); ++ply) {
    if (ply > 0) so_far.push(game.moves[size_t(ply - 1)]);
    const auto verdict = judge(so_far, rules, 0, xiangqi::kRefereeBudget);
    if (verdict) r.repetitions.push_back({ply, so_far.occurrences(), *verdict});
    if (r.end || (verdict && verdict->must_change && changed(r.history, ply))) continue;
    r.end = game_end(so_far, so_far.current().legal_moves(), rules, 0, &memory);
    r.end_ply = ply;
  }
  if (r.end && game.result != "*") r.agrees = game.result == result_text(r.end->outcome);
  return r;
}

std::string players(const PgnGame& game) {
  const auto name = [&](std::string_view tag) { return game.tag(tag).empty() ? "?" : game.tag(tag); };
  return fmt::format("{} - {}", name("Red"), name("Black"));
}

/// Else a misspelt rule set would look like a choice.
std::string unknown_rules(const PgnGame& game, const std::string& requested) {
  const std::string_view tag = game.tag(kRuleSetTag);
  if (tag.empty() || !requested.empty() || rules_of(game, requested).name == tag) return {};
  return fmt::format(" (its tag {} has '{}', which is none of ours)", kRuleSetTag, tag);
}

void print_review(const PgnGame& game, int number, const Review& r, const PgnRequest& request) {
  const bool in_full = request.game != 0;
  fmt::print("game {}: {}, header {}, {} plies, rules {}{}\n", number, players(game), game.result,
             r.history.plies(), r.rules->name, unknown_rules(game, request.rules));
  const Repetition* last = nullptr;
  for (const Repetition& rep : r.repetitions) {
    const Verdict& v = rep.verdict;
    fmt::print("  after ply {}, occurrence {}: {} ({}), article {}\n", rep.ply, rep.occurrences,
               v.must_change ? fmt::format("{} unless the other side changes", name_of(v.outcome))
                             : std::string(name_of(v.outcome)),
               name_of(v.reason), v.article);
    // The plies after a third occurrence repeat, too, while a cycle goes on: the same cycle from its next
    // ply.
    const bool goes_on = last && rep.ply == last->ply + 1 && v.article == last->verdict.article;
    last = &rep;
    if (!in_full || goes_on) continue;
    GameHistory there(game.start, r.rules->natural_limit_checks);
    for (int i = 0; i < rep.ply; ++i) there.push(game.moves[size_t(i)]);
    fmt::print("{}", explain(v, there, *r.rules, request.language));
  }
  if (!r.end) {
    fmt::print("  the rules do not end it: the header's {} stands\n", game.result);
    return;
  }
  fmt::print("  by the rules it ends after ply {}: {} {}, {}", r.end_ply, name_of(r.end->outcome),
             name_of(r.end->reason),
             !r.agrees   ? "the header has no result"
             : *r.agrees ? "as the header says"
                         : fmt::format("but the header says {}: DIFFERS", game.result));
  if (const int more = r.history.plies() - r.end_ply) fmt::print("; the game ran on for {} plies", more);
  fmt::print("\n");
}

json review_json(const PgnGame& game, int number, const Review& r) {
  json repetitions = json::array();
  for (const Repetition& rep : r.repetitions) {
    GameHistory there(game.start, r.rules->natural_limit_checks);
    for (int i = 0; i < rep.ply; ++i) there.push(game.moves[size_t(i)]);
    repetitions.push_back({{"ply", rep.ply},
                           {"occurrences", rep.occurrences},
                           {"verdict", verdict_json(rep.verdict, there, *r.rules)}});
  }
  json out = {{"game", number},
              {"red", game.tag("Red")},
              {"black", game.tag("Black")},
              {"rules", r.rules->name},
              {"plies", r.history.plies()},
              {"header_result", game.result},
              {"repetitions", repetitions},
              {"end", nullptr},
              {"agrees", r.agrees ? json(*r.agrees) : json(nullptr)}};
  if (r.end)
    out["end"] = {
        {"ply", r.end_ply}, {"outcome", name_of(r.end->outcome)}, {"reason", name_of(r.end->reason)}};
  return out;
}

/// The file's games that are asked for, with their numbers in it.
struct Selection {
  std::vector<std::pair<int, PgnGame>> games;
  std::vector<PgnFault> faults;
};

Selection select_games(const PgnRequest& request) {
  PgnOptions options;
  options.keep_legal = true;
  PgnFile file = read_pgn(read_file(request.path), request.path, options);
  if (file.games_read == 0) throw Error("{}: no game in it, expected PGN", request.path);
  if (request.game > file.games_read)
    throw Error("{}: there is no game {}, expected one of {} games", request.path, request.game,
                file.games_read);
  Selection out;
  const auto wanted = [&](int number) { return request.game == 0 || request.game == number; };
  // Games without a usable start are left out: their faults belong to no move.
  int left_out = file.games_read - int(file.games.size()), number = 0;
  for (PgnGame& game : file.games) {
    ++number;
    while (left_out > 0 && std::ranges::any_of(file.faults, [&](const PgnFault& f) {
             return f.game == number && f.ply == 0;
           }))
      --left_out, ++number;
    if (wanted(number)) out.games.emplace_back(number, std::move(game));
  }
  for (PgnFault& f : file.faults)
    if (wanted(f.game)) out.faults.push_back(std::move(f));
  return out;
}

void complain(const std::vector<PgnFault>& faults) {
  if (faults.empty()) return;
  throw Error("{}{}", faults[0].message,
              faults.size() > 1 ? fmt::format(" ({} more games are faulty)", faults.size() - 1) : "");
}

}  // namespace

PgnGame chosen_game(const PgnRequest& request) {
  Selection selection = select_games(request);
  if (selection.games.size() > 1)
    throw Error("{}: it has {} games, expected --game N to choose one", request.path, selection.games.size());
  complain(selection.faults);
  return selection.games[0].second;
}

const RuleSet& rules_of(const PgnGame& game, const std::string& requested) {
  if (!requested.empty()) return rule_set(requested);
  const auto names = rule_set_names();
  const std::string_view tag = game.tag(kRuleSetTag);
  return rule_set(std::ranges::find(names, tag) == names.end() ? kDefaultRuleSet : tag);
}

GameHistory history_of(const PgnGame& game, const RuleSet& rules) {
  GameHistory history(game.start, rules.natural_limit_checks);
  for (Move m : game.moves) history.push(m);
  return history;
}

void judge_pgn(const PgnRequest& request) {
  const Selection selection = select_games(request);
  json games = json::array();
  std::map<std::string, int> reasons;
  int agree = 0, differ = 0, repetitions = 0;
  for (const auto& [number, game] : selection.games) {
    const Review r = review_of(game, request.rules);
    repetitions += int(r.repetitions.size());
    if (r.agrees) ++(*r.agrees ? agree : differ);
    ++reasons[r.end ? std::string(name_of(r.end->reason)) : "open"];
    if (request.json) {
      games.push_back(review_json(game, number, r));
    } else {
      print_review(game, number, r, request);
    }
  }
  if (request.json) {
    json faults = json::array();
    for (const PgnFault& f : selection.faults) faults.push_back(f.message);
    const json all{{"file", request.path}, {"games", games}, {"ends", reasons}, {"faults", faults}};
    // A file's name may be no UTF-8.
    fmt::print("{}\n", all.dump(-1, ' ', false, json::error_handler_t::replace));
  } else {
    for (const auto& [reason, count] : reasons) fmt::print("{:<20}{}\n", reason, count);
    fmt::print("JUDGED games={} repetitions={} agree={} differ={} faulty={}\n", selection.games.size(),
               repetitions, agree, differ, selection.faults.size());
  }
  complain(selection.faults);
}

}  // namespace chuhe::cli
