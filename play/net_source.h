#pragma once
// Where a net is looked for, and what is said of it.

#include <filesystem>
#include <functional>
#include <string>

#include "nn/infer/factory.h"
#include "play/settings.h"

namespace chuhe::play {

/// nn::open_net, or a double of it in tests.
using NetLoader = std::function<nn::NetHandle(const std::string& net, const nn::EvaluatorSettings& settings)>;

/// The path of the net file: as given (with the short forms of nn::find_net_file), or, if there is no such
/// file and the path is relative, beside the program. A double's name is returned as it is. Throws Error
/// naming every path that was tried.
std::string find_net(const std::string& net, const std::filesystem::path& program_folder);
/// The folder of this program's file.
std::filesystem::path program_folder();

struct OpenNet {
  nn::NetHandle handle;
  int batch = 0;            // rows that its evaluators take at once
  std::string description;  // one line: id, path, size, format, device
  std::string warning;      // one line, or empty: for instance another rule set
};
/// Opens the net of the settings with a batch that fits its device. Throws Error.
OpenNet open_for_play(const PlaySettings& settings, const NetLoader& loader);

}  // namespace chuhe::play
