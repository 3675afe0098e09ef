#include "play/net_source.h"

#include "base/error.h"
#include "nn/api/doubles.h"
#include "nn/model/net_file.h"

namespace chuhe::play {

namespace fs = std::filesystem;

namespace {
constexpr int kCpuBatch = 8, kGpuBatch = 64;
}  // namespace

fs::path program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

std::string find_net(const std::string& net, const fs::path& folder) {
  if (net.empty()) throw Error("no net: name a net file with --net or the option EvalFile");
  std::error_code error;
  if (nn::make_double(net)) return net;
  const fs::path given = nn::find_net_file(net);
  if (fs::is_regular_file(given, error)) return given.string();
  const fs::path here = fs::absolute(net, error);
  if (given.is_absolute() || folder.empty())
    throw Error("net file {}: {}", here.string(),
                fs::exists(given, error) ? "not a regular file" : "no such file");
  const fs::path beside = nn::find_net_file(folder / net);
  if (fs::is_regular_file(beside, error)) return beside.string();
  throw Error("net file {}: no such file, neither as {} nor as {}", net, here.string(),
              (folder / net).string());
}

OpenNet open_for_play(const PlaySettings& settings, const NetLoader& loader) {
  OpenNet net;
  const std::string path = find_net(settings.net, program_folder());
  nn::EvaluatorSettings evaluator = settings.evaluator;
  const bool fitted = evaluator.batch == 0;
  if (fitted) evaluator.batch = kCpuBatch;
  net.handle = loader(path, evaluator);
  if (fitted && net.handle.device.starts_with("cuda")) {
    evaluator.batch = kGpuBatch;
    net.handle = loader(path, evaluator);
  }
  net.batch = evaluator.batch;
  if (nn::make_double(path)) {
    net.description = fmt::format("double {} on {}", net.handle.net_id, net.handle.device);
    return net;
  }
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const nn::NetFile header = nn::read_net_header(path);
  net.description = fmt::format("net {} ({}, {} bytes, {} blocks of {} channels, encoding {}) on {}",
                                net.handle.net_id, path, size, header.config.blocks, header.config.channels,
                                header.config.encoding, net.handle.device);
  if (!header.rule_set.empty() && header.rule_set != settings.rules)
    net.warning = fmt::format("net {} was trained by the rules {}, the engine plays by {}", net.handle.net_id,
                              header.rule_set, settings.rules);
  return net;
}

}  // namespace chuhe::play
