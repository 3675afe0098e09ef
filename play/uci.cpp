#include "play/uci.h"

#include <charconv>

#include "play/uci_text.h"

namespace chuhe::play {

using xiangqi::Position;

namespace {

constexpr int kDeepestPerft = 8;

std::string first_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

Uci::Uci(const PlaySettings& settings, Setup setup)
    : setup_(std::move(setup)),
      state_{settings},
      options_(state_, [this] { engine_.new_game(); }),
      history_(Position(), xiangqi::rule_set(settings.rules).natural_limit_checks),
      engine_(setup_.loader, setup_.clock,
              {.info = [this](const SearchInfo& i) { say_all(info_lines(i, show_wdl_, rank_base_)); },
               .best_move = [this](const BestMove& b) { say(best_move_line(b, rank_base_)); },
               .message = [this](const std::string& text) { info(first_line(text)); }}) {
  engine_.set_settings(settings);
  engine_.set_position(history_);
}

bool Uci::handle(std::string_view line) {
  log(">>", line);
  const auto words = words_of(line);
  if (words.empty()) return true;
  const std::string_view command = words[0];
  const Words rest = Words(words).subspan(1);
  if (command == "quit") return false;
  if (command == "uci") {
    identify();
  } else if (command == "isready") {
    engine_.load([this] { say("readyok"); });
  } else if (command == "setoption") {
    set_option(rest);
  } else if (command == "ucinewgame") {
    engine_.new_game();
  } else if (command == "position") {
    set_position(rest);
  } else if (command == "fen" || command == "startpos") {
    set_position(words);  // UCI-Cyclone has no word `position`
  } else if (command == "go") {
    go(rest);
  } else if (command == "stop") {
    engine_.stop();
  } else if (command == "ponderhit") {
    engine_.ponderhit();
  } else if (command == "d") {
    draw();
  } else if (command == "eval") {
    if (engine_.busy()) {
      info("error: eval: a search is running");
    } else {
      engine_.evaluate();
    }
  } else if (command == "perft") {
    perft(rest);
  } else if (command != "debug" && command != "register") {
    info(fmt::format("error: unknown command '{}'", printable(command)));
  }
  return true;
}

void Uci::identify() {
  say_all({"id name " + setup_.name, "id author the Chuhe developers"});
  say_all(options_.declarations());
  say("uciok");
}

void Uci::set_option(Words words) {
  // Names and values may hold blanks; a value is taken as it stands in the line.
  if (words.empty() || words[0] != "name")
    return info("error: setoption: expected 'setoption name <name> [value <value>]'");
  const auto value_at = std::find(words.begin() + 1, words.end(), "value");
  std::string name;
  for (auto word = words.begin() + 1; word != value_at; ++word)
    name.append(name.empty() ? "" : " ").append(*word);
  std::string_view value;
  if (value_at != words.end() && value_at + 1 != words.end()) {
    const std::string_view last = words.back();
    value =
        std::string_view((value_at + 1)->data(), size_t(last.data() + last.size() - (value_at + 1)->data()));
  }
  const std::string old_rules = state_.settings.rules;
  if (const std::string complaint = options_.set(name, value); !complaint.empty())
    return info("error: " + complaint);

  show_wdl_ = state_.show_wdl;
  rank_base_ = state_.rank_base;
  if (state_.settings.rules != old_rules) {
    xiangqi::GameHistory again(history_.start(),
                               xiangqi::rule_set(state_.settings.rules).natural_limit_checks);
    for (const auto& ply : history_.facts()) again.push(ply.move);
    history_ = std::move(again);
    engine_.set_position(history_);
  }
  engine_.set_settings(state_.settings);
  std::unique_lock lock(write_mutex_);
  if (state_.debug_log == log_name_) return;
  log_name_ = state_.debug_log;
  log_ = std::ofstream();
  if (!log_name_.empty()) log_.open(log_name_, std::ios::app);
  const bool failed = !log_name_.empty() && !log_;
  lock.unlock();
  if (failed)
    info(fmt::format("error: Debug Log File {}: cannot be opened for writing", printable(log_name_, 200)));
}

void Uci::set_position(Words words) {
  const auto parsed = parse_position(words, xiangqi::rule_set(state_.settings.rules), state_.rank_base);
  if (!parsed) return info("error: " + parsed.error());
  if (!parsed->note.empty()) info(parsed->note);
  history_ = parsed->history;
  engine_.set_position(history_);
}

void Uci::go(Words words) {
  if (words.size() == 2 && words[0] == "perft") return perft(words.subspan(1));
  const auto limits = parse_go(words, history_.current(), state_.rank_base);
  if (!limits) return info("error: " + limits.error());
  engine_.go(*limits);
}

void Uci::draw() {
  say_all(drawing(history_, xiangqi::rule_set(state_.settings.rules)));
}

void Uci::perft(Words words) {
  int depth = 0;
  const std::string_view text = words.empty() ? std::string_view() : words[0];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), depth);
  if (error != std::errc() || end != text.data() + text.size() || depth < 1 || depth > kDeepestPerft)
    return info(
        fmt::format("error: perft: expected a depth in 1..{}, got '{}'", kDeepestPerft, printable(text)));
  if (engine_.busy()) return info("error: perft: a search is running");
  engine_.post([this, position = history_.current(), depth](const Control& control) {
    uint64_t sum = 0;
    for (const xiangqi::Move move : position.legal_moves()) {
      if (control.stop) {
        engine_.last_word();
        return info("perft stopped");
      }
      Position next = position;
      next.play(move);
      const uint64_t leaves = depth == 1 ? 1 : xiangqi::perft(next, depth - 1);
      say(fmt::format("{}: {}", to_uci(move, rank_base_), leaves));
      sum += leaves;
    }
    engine_.last_word();
    say(fmt::format("perft {} leaves {}", depth, sum));
  });
}

void Uci::say(const std::string& line) {
  say_all({line});
}

void Uci::say_all(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text.append(line).append("\n");
  const std::lock_guard lock(write_mutex_);
  setup_.write(text);
  if (!log_.is_open()) return;
  for (const auto& line : lines) log_ << "<< " << line << '\n';
  log_.flush();
}

void Uci::log(std::string_view direction, std::string_view text) {
  const std::lock_guard lock(write_mutex_);
  if (log_.is_open()) log_ << direction << ' ' << text << std::endl;
}

}  // namespace chuhe::play
