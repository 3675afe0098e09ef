#include "cli/moves.h"

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "xiangqi/notation/move_text.h"

namespace chuhe::cli {
namespace {

/// "12." or "12...": of a copied game.
bool is_move_number(const std::string& word) {
  const size_t digits = word.find_first_not_of("0123456789");
  return digits != 0 && digits != word.npos && word.find_first_not_of('.', digits) == word.npos;
}

xiangqi::Move read_move(const xiangqi::Position& position, const std::string& word, int number) {
  if (const xiangqi::Move m = xiangqi::parse_uci(word)) {
    if (position.is_legal(m)) return m;
    throw Error("move {} is '{}', which is not legal in {}", number, word, position.to_fen());
  }
  const auto move = parse_move_any(position, word);
  if (!move) throw Error("move {}: {}", number, move.error());
  return *move;
}

}  // namespace

void play_moves(xiangqi::GameHistory& history, const std::string& text) {
  std::string blanks = text;
  for (const std::string_view separator : {",", "，", "　"})
    for (size_t at; (at = blanks.find(separator)) != blanks.npos;)
      blanks.replace(at, separator.size(), 1, ' ');
  std::istringstream words(blanks);
  int number = 0;
  for (std::string word; words >> word;)
    if (!is_move_number(word)) history.push(read_move(history.current(), word, ++number));
}

}  // namespace chuhe::cli
