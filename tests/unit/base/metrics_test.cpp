#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/temp_folder.h"

namespace chuhe {
namespace {

using testing::ElementsAre;
using testing::Pair;

// A reader of its own: bit by bit, sharing nothing with the writer.
uint32_t slow_masked_crc32c(const std::string& data) {
  uint32_t crc = 0xffffffff;
  for (unsigned char byte : data) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ (crc % 2 ? 0x82f63b78 : 0);
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8;
}

template <class T>
T value_at(const std::string& data, size_t at) {
  T value;
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

std::vector<std::string> frames_of(const std::string& file) {
  std::vector<std::string> frames;
  for (size_t at = 0; at < file.size();) {
    const auto length = value_at<uint64_t>(file, at);
    EXPECT_EQ(value_at<uint32_t>(file, at + 8), slow_masked_crc32c(file.substr(at, 8)));
    frames.push_back(file.substr(at + 12, length));
    EXPECT_EQ(value_at<uint32_t>(file, at + 12 + length), slow_masked_crc32c(frames.back()));
    at += 16 + length;
  }
  return frames;
}

// The fields of a protobuf message: number -> raw bytes (varints as 8 bytes).
std::vector<std::pair<int, std::string>> fields_of_message(const std::string& data) {
  size_t at = 0;
  const auto varint = [&] {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = uint64_t(static_cast<unsigned char>(data.at(at++)));
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  std::vector<std::pair<int, std::string>> fields;
  while (at < data.size()) {
    const uint64_t key = varint();
    std::string bytes;
    if (key % 8 == 0) {
      const uint64_t value = varint();
      bytes.assign(reinterpret_cast<const char*>(&value), 8);
    } else {
      const size_t length = key % 8 == 1 ? 8 : key % 8 == 5 ? 4 : varint();
      bytes = data.substr(at, length);
      at += length;
    }
    fields.emplace_back(int(key / 8), bytes);
  }
  return fields;
}

TEST(MetricsTest, TheCheckOfTheReaderIsCrc32c) {
  // "123456789" has CRC-32C e3069283 (Koopman's catalogue of CRCs); masked as TFRecord wants it.
  const uint32_t crc = 0xe3069283;
  EXPECT_EQ(slow_masked_crc32c("123456789"), ((crc >> 15) | (crc << 17)) + 0xa282ead8);
}

TEST(MetricsTest, WritesBothFiles) {
  const test::TempFolder folder;
  {
    MetricsWriter writer(folder, 1000.5, "train");
    writer.write(300, 1001.25, {{"loss/policy", 2.5}, {"lr", 0.125}});
    writer.write(301, 1002, {{"bad", std::nan("")}});
  }
  const auto lines = read_lines(folder / "metrics.jsonl");
  EXPECT_THAT(lines, ElementsAre(R"({"step":300,"time":1001.25,"loss/policy":2.5,"lr":0.125})",
                                 R"({"step":301,"time":1002.0,"bad":null})"));

  const auto frames = frames_of(read_file(folder / "events.out.tfevents.1000.train"));
  ASSERT_EQ(frames.size(), 3u);
  const auto version = fields_of_message(frames[0]);
  ASSERT_EQ(version.size(), 2u);
  EXPECT_EQ(value_at<double>(version[0].second, 0), 1000.5);
  EXPECT_THAT(version[1], Pair(3, "brain.Event:2"));

  const auto event = fields_of_message(frames[1]);
  ASSERT_EQ(event.size(), 3u);
  EXPECT_EQ(event[0].first, 1);
  EXPECT_EQ(value_at<double>(event[0].second, 0), 1001.25);
  EXPECT_EQ(event[1].first, 2);
  EXPECT_EQ(value_at<int64_t>(event[1].second, 0), 300);
  EXPECT_EQ(event[2].first, 5);
  const auto summary = fields_of_message(event[2].second);
  ASSERT_EQ(summary.size(), 2u);
  const auto value = fields_of_message(summary[0].second);
  EXPECT_THAT(value[0], Pair(1, "loss/policy"));
  EXPECT_EQ(value[1].first, 2);
  EXPECT_EQ(value_at<float>(value[1].second, 0), 2.5f);
}

TEST(MetricsTest, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const test::TempFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "events.out.tfevents.1.x");
  EXPECT_THROW(MetricsWriter(folder, 1, "x"), Error);
}

}  // namespace
}  // namespace chuhe
