#pragma once
// Metrics as JSON lines (one object per line, appended) and as TensorBoard event files (TFRecord frames with
// masked CRC-32C, Event protobuf messages written by hand: three fields of a stable public format).

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace chuhe {

using MetricList = std::vector<std::pair<std::string, double>>;

class MetricsWriter {
 public:
  /// Appends to folder/metrics.jsonl and opens a new event file folder/events.out.tfevents.<start>.<tag>;
  /// `wall_time` (seconds) is passed in by the caller, so that this class has no clock.
  MetricsWriter(const std::filesystem::path& folder, double wall_time, const std::string& tag);
  /// One row: written to both files at once. Throws Error if the disk is full.
  void write(int64_t step, double wall_time, const MetricList& values);

 private:
  std::filesystem::path jsonl_;
  std::ofstream events_;
  std::filesystem::path events_path_;
};

}  // namespace chuhe
