#include "play/settings.h"

#include "xiangqi/rules/rule_set.h"

namespace chuhe::play {

void PlaySettings::describe(Fields& f) {
  f("net", net, "net file, or one of the doubles hash, material, uniform");
  Fields::Choices names;
  for (const auto name : xiangqi::rule_set_names()) names.emplace_back(name);
  f("rules", rules, "rule set", names);
  f("visits", visits, "most visits of a search, whatever the clock allows; 0 = no such limit", {0, 1e9});
  f("move_overhead_ms", move_overhead_ms, "time kept back per move for the way to the GUI, in ms",
    {0, 10000});
  f("hash_mb", hash_mb, "memory of the search tree, in MiB; a full tree ends the search", {1, 1 << 20});
  f("multi_pv", multi_pv, "lines of play to report", {1, 128});
  f("temperature", temperature, "0: the most visited move; else one drawn by visits^(1/temperature)",
    {0, 10});
  f("temperature_plies", temperature_plies, "plies of the game in which temperature applies", {0, 10000});
  f("seed", seed, "of the draws that temperature makes");
  f("analyse", analyse, "no temperature, as for analysis");
  f.table("search", search, "search; visits there is the budget of a Gumbel search without a node limit");
  f.table("evaluator", evaluator, "net evaluation; batch 0 = 8 rows on the CPU, 64 on a GPU");
}

}  // namespace chuhe::play
