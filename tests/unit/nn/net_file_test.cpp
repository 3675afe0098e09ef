#include "nn/model/net_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "nn/model/metadata_json.h"
#include "nn/model/safetensors.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

namespace fs = std::filesystem;
using testing::Test;

NetConfig small_config() {
  NetConfig config;
  config.blocks = 1;
  config.channels = 16;
  config.se_channels = 4;
  config.policy_channels = 4;
  config.value_channels = 2;
  config.value_hidden = 8;
  return config;
}

NetFile small_net() {
  NetFile net = test::random_net(small_config(), 1);
  net.parent = "older";
  net.step = 1200;
  SelfCheck check{test::random_samples(1, 1)[0].row, {0.25f, 0.5f, 0.1f + 0.15f}, 33.3f, {}};
  for (int i = 0; i < kCheckLogits; ++i) check.policy_logits[i] = 0.1f * float(i) - 0.3f;
  net.checks.push_back(check);
  return net;
}

// The text of the Error that reading the bytes throws; empty if it throws none.
std::string failure(std::string_view bytes) {
  try {
    parse_net_file(bytes, "some.net");
  } catch (const Error& e) {
    EXPECT_EQ(std::string_view(e.what()).substr(0, 9), "some.net:") << e.what();
    EXPECT_EQ(std::string_view(e.what()).find('\n'), std::string_view::npos) << e.what();
    return e.what();
  }
  return "";
}

// The file with another header text; the checksum is not mended.
std::string with_header(const std::string& bytes, const std::function<void(nlohmann::json&)>& change) {
  const uint64_t length = safetensors_header_length(bytes);
  auto json = nlohmann::json::parse(bytes.substr(8, length));
  change(json);
  std::string text = json.dump();
  const uint64_t size = text.size();
  std::string out(8, '\0');
  std::memcpy(out.data(), &size, 8);
  return out + text + bytes.substr(8 + length);
}

TEST(NetConfig, Presets) {
  EXPECT_EQ(net_preset("nano").blocks, 2);
  EXPECT_EQ(net_preset("large").channels, 256);
  EXPECT_EQ(net_preset_names().size(), 5u);
  for (auto name : net_preset_names()) EXPECT_NO_THROW(check_net_config(net_preset(name)));
  EXPECT_EQ(NetConfig{}, net_preset("nano"));
  try {
    net_preset("huge");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("nano, tiny, small, base, large"), std::string::npos) << e.what();
  }
  EXPECT_NEAR(macs_per_position(net_preset("large")), 4267e6 / 2, 0.05 * 4267e6 / 2) << "speed_notes.md";
  EXPECT_EQ(parameter_count(net_preset("nano")), 152322);
}

TEST(NetConfig, RefusesOddSizes) {
  NetConfig config;
  config.channels = 40;
  EXPECT_THROW(check_net_config(config), Error);
  config = NetConfig{};
  config.blocks = 0;
  EXPECT_THROW(check_net_config(config), Error);
  config = NetConfig{};
  config.encoding = 2;
  EXPECT_THROW(check_net_config(config), Error);
}

TEST(NetFile, RoundTrip) {
  const NetFile net = small_net();
  const chuhe::test::TempFolder folder;
  const fs::path path = folder / "round_trip.net";
  write_net_file(net, path);
  const NetFile read = read_net_file(path);
  EXPECT_EQ(read.id, net.id);
  EXPECT_EQ(read.parent, "older");
  EXPECT_EQ(read.step, 1200);
  EXPECT_EQ(read.rule_set, "checks_only") << "U077";
  EXPECT_EQ(read.revision, "test");
  EXPECT_EQ(read.config, net.config);
  ASSERT_EQ(read.tensors.size(), net.tensors.size());
  for (const auto& [name, tensor] : net.tensors) {
    EXPECT_EQ(read.tensors.at(name).shape, tensor.shape);
    EXPECT_EQ(read.tensors.at(name).values, tensor.values);
  }
  ASSERT_EQ(read.checks.size(), 1u);
  EXPECT_EQ(std::memcmp(&read.checks[0], &net.checks[0], sizeof(SelfCheck)), 0)
      << "floats must come back bit by bit";
  const NetFile header = read_net_header(path);
  EXPECT_EQ(header.id, net.id);
  EXPECT_EQ(header.tensors.at("value.wdl.bias").shape, std::vector<int64_t>{3});
  EXPECT_TRUE(header.tensors.at("value.wdl.bias").values.empty());
  EXPECT_EQ(read_file(path), to_bytes(read)) << "a net has one file";
  EXPECT_EQ((8 + safetensors_header_length(read_file(path))) % 8, 0u);
  fs::remove(path);
}

// What has been written once must stay readable: change the format version when this changes.
TEST(NetFile, FormatIsPinned) {
  NetFile net = small_net();
  for (auto& [name, tensor] : net.tensors)
    for (size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = float(i % 7) / 8;
  const std::string bytes = to_bytes(net);
  EXPECT_EQ(hash_bytes(bytes.data(), bytes.size()), 10236776333849966203u);
}

TEST(NetFile, CutAnywhereIsAnError) {
  const std::string bytes = to_bytes(small_net());
  ASSERT_EQ(failure(bytes), "");
  for (size_t n = 0; n < bytes.size(); n += n < 5000 ? 61 : 997)
    EXPECT_NE(failure(bytes.substr(0, n)), "") << n;
  EXPECT_NE(failure(bytes.substr(0, bytes.size() - 1)).find("cut"), std::string::npos);
  EXPECT_NE(failure(bytes + "x"), "");
}

TEST(NetFile, FlippedBitsAreAnError) {
  const std::string bytes = to_bytes(small_net());
  const uint64_t header = 8 + safetensors_header_length(bytes);
  for (size_t at = 0; at < bytes.size(); at += at < header ? 1 : 1009) {
    std::string broken = bytes;
    broken[at] = char(broken[at] ^ 1 << at % 8);
    EXPECT_NE(failure(broken), "") << "byte " << at;
  }
  std::string last = bytes;
  last.back() = char(last.back() ^ 1);
  EXPECT_NE(failure(last).find("corrupt: checksum"), std::string::npos) << failure(last);
}

TEST(NetFile, WhatIsWrongIsSaid) {
  const std::string bytes = to_bytes(small_net());
  const auto said = [&](const std::string& text, const std::function<void(nlohmann::json&)>& change) {
    const std::string why = failure(with_header(bytes, change));
    EXPECT_NE(why.find(text), std::string::npos) << why << "\nexpected: " << text;
  };
  using Json = nlohmann::json;
  said("input encoding '7', this build has encoding 1", [](Json& h) { h["__metadata__"]["encoding"] = "7"; });
  said("format version '2', this build reads version 1",
       [](Json& h) { h["__metadata__"]["format_version"] = "2"; });
  said("format 'other'", [](Json& h) { h["__metadata__"]["format"] = "other"; });
  said("no 'format'", [](Json& h) { h.erase("__metadata__"); });
  said("not a string", [](Json& h) { h["__metadata__"]["step"] = 5; });
  said("'step' is '-1'", [](Json& h) { h["__metadata__"]["step"] = "-1"; });
  said("'id' is '../x'", [](Json& h) { h["__metadata__"]["id"] = "../x"; });
  said("expected a whole number 'blocks'", [](Json& h) { h["__metadata__"]["config"] = "{}"; });
  said("'config' is not JSON", [](Json& h) { h["__metadata__"]["config"] = "blocks=1"; });
  said("tensor 'stem.conv.bias' is missing", [](Json& h) {
    h["extra"] = h["stem.conv.bias"];
    h.erase("stem.conv.bias");
  });
  said("tensor 'stem.conv.bias' has shape [4,4], expected [16]", [](Json& h) {
    h["stem.conv.bias"]["shape"] = {4, 4};
  });
  said("do not fit its shape", [](Json& h) { h["stem.conv.bias"]["shape"] = {17}; });
  said("too large", [](Json& h) { h["stem.conv.bias"]["shape"] = {1 << 30, 1 << 30}; });
  said("expected a whole number", [](Json& h) { h["stem.conv.bias"]["shape"] = {-16}; });
  said("dtype \"F16\"", [](Json& h) { h["stem.conv.bias"]["dtype"] = "F16"; });
  said("overlap or leave a gap", [](Json& h) { h["stem.conv.bias"]["data_offsets"] = {0, 64}; });
  said("packed row", [](Json& h) {
    Json checks = Json::parse(h["__metadata__"]["checks"].get<std::string>());
    checks[0]["row"] = "00";
    h["__metadata__"]["checks"] = checks.dump();
  });
  said("'logits' to be a list of 8", [](Json& h) {
    h["__metadata__"]["checks"] =
        R"([{"row":")" + std::string(128, '0') + R"(","moves_left":1,"wdl":[0,0,1]}])";
  });
  said("blocks: ", [](Json& h) {
    Json config = Json::parse(h["__metadata__"]["config"].get<std::string>());
    config["blocks"] = 1000000000;
    h["__metadata__"]["config"] = config.dump();
  });
  said("rewritten by another program", [](Json& h) {
    h["a"] = h["blocks.0.conv1.bias"], h.erase("a"),
    h["__metadata__"]["z"] = R"("checksum":"0000000000000000")",
    h["__metadata__"]["checksum"] = "xxxxxxxx\"xxxxxxx";
  });
}

TEST(NetFile, HeadersOfNonsense) {
  const auto file = [](uint64_t length, const std::string& text) {
    std::string out(8, '\0');
    std::memcpy(out.data(), &length, 8);
    return out + text;
  };
  EXPECT_NE(failure(""), "");
  EXPECT_NE(failure("not a net file at all"), "");
  EXPECT_NE(failure(file(uint64_t(1) << 63, "{}")), "");
  EXPECT_NE(failure(file(2, "[]")), "");
  EXPECT_NE(failure(file(2, "{}")), "");
  EXPECT_NE(failure(file(1 << 20, std::string(1 << 20, '['))), "")
      << "deep nesting must not overflow the stack";
  const std::string deep = R"({"__metadata__":)" + std::string(200000, '[') + std::string(200000, ']') + "}";
  EXPECT_NE(failure(file(deep.size(), deep)), "");
  EXPECT_NE(failure(file(8, "{\"a\":1e9999}")), "");
  Random random(9);
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (int k = 0; k < 64; ++k) text += "{}[]\":,0123abc\\u\xff "[random.below(18)];
    EXPECT_NE(failure(file(64, text)), "");
  }
}

TEST(NetFile, NonFiniteWeightsAreRefusedBothWays) {
  NetFile net = small_net();
  const std::string good = to_bytes(net);
  net.tensors.at("value.fc1.weight").values[17] = std::numeric_limits<float>::quiet_NaN();
  const chuhe::test::TempFolder folder;
  const fs::path path = folder / "nan.net";
  EXPECT_THROW(write_net_file(net, path), Error);
  EXPECT_FALSE(fs::exists(path));
  // A NaN with a right checksum, as a careless program would write it.
  std::string bytes = good;
  std::memset(bytes.data() + bytes.size() - 4, 0xff, 4);
  const uint64_t header = 8 + safetensors_header_length(bytes);
  const size_t at = bytes.substr(0, header).find("\"checksum\":\"") + 12;
  bytes.replace(at, 16, std::string(16, '0'));
  bytes.replace(at, 16, fmt::format("{:016x}", hash_bytes(bytes.data(), bytes.size())));
  EXPECT_NE(failure(bytes).find("tensor 'value.wdl.weight': weight"), std::string::npos) << failure(bytes);
}

TEST(NetFile, BadIdsFoldersAndMissingFiles) {
  NetFile net = small_net();
  const chuhe::test::TempFolder folder;
  for (const char* id : {"", "a/b", "a b", "../x"}) {
    net.id = id;
    EXPECT_THROW(write_net_file(net, folder / "bad_id.net"), Error) << id;
    EXPECT_FALSE(fs::exists(folder / "bad_id.net"));
  }
  for (const fs::path& path : {folder / "no_such.net", folder.path()}) {
    for (const auto read : {read_net_file, read_net_header}) {
      try {
        read(path);
        ADD_FAILURE() << path;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(path.string()), std::string::npos) << e.what();
      }
    }
  }
  net.id = "ok";
  net.tensors.erase("policy.move_bias");
  EXPECT_DEATH(to_bytes(net), "tensors");
}

TEST(NetFile, IsFoundByNumberAndThroughTheRunsPointer) {
  const chuhe::test::TempFolder folder;
  write_file_atomically(folder / "3.safetensors", "x");
  write_file_atomically(folder / "latest", "3.safetensors\n");
  EXPECT_EQ(find_net_file(folder / "3"), folder / "3.safetensors");
  EXPECT_EQ(find_net_file(folder / "latest"), folder / "3.safetensors");
  EXPECT_EQ(find_net_file(folder / "3.safetensors"), folder / "3.safetensors");
  EXPECT_EQ(find_net_file(folder / "4"), folder / "4");
}

TEST(NetFile, RowsAsHex) {
  const PackedRow row = test::random_samples(1, 2)[0].row;
  EXPECT_EQ(row_from_hex(row_to_hex(row)), row);
  EXPECT_THROW(row_from_hex("zz"), Error);
  EXPECT_THROW(row_from_hex(std::string(128, 'G')), Error);
}

}  // namespace
}  // namespace chuhe::nn
