#include "play/uci_options.h"

#include <charconv>

#include "play/uci_text.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::play {
namespace {

// UCI has no empty string: GUIs send this word for it.
constexpr std::string_view kEmpty = "<empty>";

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string wants(std::string_view name, std::string_view expected, std::string_view got) {
  return fmt::format("option {}: expected {}, got '{}'; nothing changes", name, expected, printable(got));
}

}  // namespace

UciOptions::UciOptions(UciState& state, std::function<void()> clear_hash) {
  PlaySettings& s = state.settings;
  std::vector<std::string> rule_sets;
  for (const auto name : xiangqi::rule_set_names()) rule_sets.emplace_back(name);
  add_spin("Threads", threads_, 1, 1);
  add_spin("Hash", s.hash_mb, 1, 1 << 20);
  add_button("Clear Hash", std::move(clear_hash));
  add_check("Ponder", state.ponder);
  add_spin("MultiPV", s.multi_pv, 1, 128);
  add_spin("Move Overhead", s.move_overhead_ms, 0, 10000);
  add_check("UCI_ShowWDL", state.show_wdl);
  add_text("EvalFile", s.net);
  add_text("Debug Log File", state.debug_log);
  add_check("UCI_AnalyseMode", s.analyse);
  add_combo("UCI_Variant", variant_, {"xiangqi"});
  add_spin("UCI_RankBase", state.rank_base, 0, 1);
  add_text("Device", s.evaluator.device);
  add_combo("Backend", s.evaluator.backend, {"auto", "torch", "simd", "eigen"});
  add_combo("Precision", s.evaluator.precision, {"auto", "fp32", "bf16", "fp16"});
  add_spin("BatchSize", s.evaluator.batch, 0, 1024);
  add_spin("Visits", s.visits, 0, 1'000'000'000);
  add_number("CPuct", s.search.cpuct_init, 0, 100);
  add_number("Temperature", s.temperature, 0, 10);
  add_combo("RuleSet", s.rules, std::move(rule_sets));
  add_repetition_rule(s.rules);
  add_combo("TreeRepetition", s.search.tree_repetition, {"first", "draw", "rule"});
}

std::vector<std::string> UciOptions::declarations() const {
  std::vector<std::string> out;
  for (const Option& option : options_)
    out.push_back(fmt::format("option name {} {}", option.name, option.declaration));
  return out;
}

std::string UciOptions::set(std::string_view name, std::string_view value) {
  for (const Option& option : options_)
    if (same_name(option.name, name)) return option.set(value);
  return fmt::format("unknown option '{}'; nothing changes", printable(name));
}

void UciOptions::add_spin(std::string name, int& field, int min, int max) {
  options_.push_back({name, fmt::format("type spin default {} min {} max {}", field, min, max),
                      [name, &field, min, max](std::string_view text) -> std::string {
                        const auto value = number<int64_t>(text);
                        if (!value || *value < min || *value > max)
                          return wants(name, fmt::format("a whole number in {}..{}", min, max), text);
                        field = int(*value);
                        return {};
                      }});
}

void UciOptions::add_check(std::string name, bool& field) {
  options_.push_back({name, fmt::format("type check default {}", field),
                      [name, &field](std::string_view text) -> std::string {
                        if (!same_name(text, "true") && !same_name(text, "false"))
                          return wants(name, "true or false", text);
                        field = same_name(text, "true");
                        return {};
                      }});
}

void UciOptions::add_text(std::string name, std::string& field) {
  options_.push_back({name,
                      fmt::format("type string default {}", field.empty() ? kEmpty : std::string_view(field)),
                      [&field](std::string_view text) -> std::string {
                        field = text == kEmpty ? std::string() : std::string(text);
                        return {};
                      }});
}

void UciOptions::add_combo(std::string name, std::string& field, std::vector<std::string> values) {
  std::string declaration = fmt::format("type combo default {}", field);
  for (const auto& value : values) declaration += " var " + value;
  options_.push_back(
      {name, std::move(declaration), [name, &field, values](std::string_view text) -> std::string {
         for (const auto& value : values)
           if (same_name(value, text)) {
             field = value;
             return {};
           }
         return wants(name, fmt::format("one of {}", fmt::join(values, ", ")), text);
       }});
}

// A GUI may send every option's default back: a name that already covers the rule set in force changes
// nothing.
void UciOptions::add_repetition_rule(std::string& rules) {
  struct Name {
    std::string_view name, prefix, rule_set;  // of the rule sets that it covers; the one that it chooses
  };
  static constexpr Name kNames[] = {{"AsianRule", "axf", "axf"},
                                    {"ChineseRule", "cxa", xiangqi::kDefaultRuleSet},
                                    {"CheckOnly", "checks_only", "checks_only"},
                                    {"AlwaysDraw", "none", "none"}};
  std::string declaration = "type combo default";
  for (const Name& n : kNames)
    if (rules.starts_with(n.prefix)) declaration += fmt::format(" {}", n.name);
  for (const Name& n : kNames) declaration += fmt::format(" var {}", n.name);
  options_.push_back(
      {"Repetition Rule", std::move(declaration), [&rules](std::string_view text) -> std::string {
         const std::string_view wanted = same_name(text, "checkban") ? "CheckOnly" : text;  // UCCI's word
         for (const Name& n : kNames)
           if (same_name(n.name, wanted)) {
             if (!rules.starts_with(n.prefix)) rules = n.rule_set;
             return {};
           }
         return wants("Repetition Rule", "one of AsianRule, ChineseRule, CheckOnly, AlwaysDraw", text);
       }});
}

// UCI has no type for fractions: a string, as other engines do.
void UciOptions::add_number(std::string name, double& field, double min, double max) {
  options_.push_back({name, fmt::format("type string default {}", field),
                      [name, &field, min, max](std::string_view text) -> std::string {
                        const auto value = number<double>(text);
                        if (!value || !(*value >= min && *value <= max))
                          return wants(name, fmt::format("a number in {}..{}", min, max), text);
                        field = *value;
                        return {};
                      }});
}

void UciOptions::add_button(std::string name, std::function<void()> press) {
  options_.push_back({name, "type button", [press = std::move(press)](std::string_view) -> std::string {
                        press();
                        return {};
                      }});
}

}  // namespace chuhe::play
