#pragma once
// Where things lie in a run folder (docs/architecture.md, "Files of a run").

#include <filesystem>
#include <string>

namespace chuhe::run {

struct RunFolder {
  std::filesystem::path path;

  std::filesystem::path config() const { return path / "config.toml"; }
  std::filesystem::path log() const { return path / "log.txt"; }
  std::filesystem::path nets() const { return path / "nets"; }
  std::filesystem::path net(int number) const { return nets() / (std::to_string(number) + ".safetensors"); }
  /// Names the newest net's file; replaced by rename.
  std::filesystem::path latest() const { return nets() / "latest"; }
  std::filesystem::path shards() const { return path / "shards"; }
  std::filesystem::path train() const { return path / "train"; }
  std::filesystem::path ratings() const { return path / "ratings"; }
  std::filesystem::path report() const { return path / "report"; }
};

/// Number of the newest net in the folder, or -1.
int newest_net(const RunFolder& folder);

}  // namespace chuhe::run
