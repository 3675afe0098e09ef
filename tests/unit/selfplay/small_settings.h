#pragma once
#include "selfplay/selfplay_settings.h"

namespace chuhe::selfplay {

inline SelfplaySettings small_settings() {
  SelfplaySettings settings;
  settings.search.visits = 6;
  settings.adjudication.ply_cap = 60;
  settings.adjudication.cap_result = "material";
  settings.random_opening_plies = 4;
  return settings;
}

/// Ids 0 .. games - 1.
inline NextGame games_of(const GameMaker& maker, uint64_t games) {
  return [&maker, games, id = uint64_t(0)](match::GameSpec& spec) mutable {
    if (id == games) return false;
    spec = maker.make(id++);
    return true;
  };
}

}  // namespace chuhe::selfplay
