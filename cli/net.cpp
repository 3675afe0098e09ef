// chuhe net: makes a fresh net, or describes a net file.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "nn/cpu/cpu_evaluator.h"
#include "nn/model/net_file.h"
#include "nn/net/init_net.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::cli {
namespace {

std::string preset_of(const nn::NetConfig& config) {
  for (std::string_view name : nn::net_preset_names())
    if (nn::net_preset(name) == config) return std::string(name);
  return "no preset";
}

std::string or_none(const std::string& text) {
  return text.empty() ? "none" : text;
}

int info(const std::string& given, bool tensors) {
  const std::filesystem::path path = nn::find_net_file(given);  // "nets/3", "nets/latest"
  const auto net =
      std::make_shared<const nn::NetFile>(nn::read_net_file(path));  // checksum and weights are looked at
  const nn::NetConfig& c = net->config;
  fmt::print("id          {}\nparent      {}\nsteps       {}\n", net->id, or_none(net->parent), net->step);
  fmt::print("rules       {}\nrevision    {}\nencoding    {}\n", or_none(net->rule_set),
             or_none(net->revision), c.encoding);
  fmt::print("size        {}: {} blocks of {} channels, squeeze-excitation {}, policy {}, value {} and {}\n",
             preset_of(c), c.blocks, c.channels, c.se_channels, c.policy_channels, c.value_channels,
             c.value_hidden);
  fmt::print("weights     {}, {:.1f} million multiply-adds per position\n", nn::parameter_count(c),
             nn::macs_per_position(c) / 1e6);
  fmt::print("file        {} bytes, checksum right, all weights finite\n", std::filesystem::file_size(path));
  nn::simd_factory(net);  // throws where an answer is too far off
  fmt::print("self-check  {} positions, this CPU answers as the file says\n", net->checks.size());
  if (!tensors) return 0;
  for (const auto& [name, tensor] : net->tensors)
    fmt::print("  {:<28}[{}]\n", name, fmt::join(tensor.shape, ", "));
  return 0;
}

struct NewNet {
  std::string path, preset = "nano", id, rules{xiangqi::kDefaultRuleSet};
  uint64_t seed = 1;
};

int make_new(const NewNet& o) {
  std::error_code ignored;
  if (std::filesystem::exists(o.path, ignored)) throw Error("{}: there already, not overwritten", o.path);
  const nn::NetConfig config = nn::net_preset(o.preset);
  const std::string rules(xiangqi::rule_set(o.rules).name);
  const std::string id = o.id.empty() ? fmt::format("{}-seed{}", o.preset, o.seed) : o.id;
  nn::write_net_file(nn::init_net(config, o.seed, id, rules), o.path);
  fmt::print("{}: net {} ({}, untrained)\n", o.path, id, o.preset);
  return 0;
}

}  // namespace

int net_command(int argc, char** argv) {
  CLI::App app("Makes a fresh net, or describes a net file.", "chuhe net");
  app.footer(
      "example: chuhe net info runs/quickstart-1/nets/3\n         chuhe net new fresh.safetensors --preset "
      "tiny "
      "--seed 7");
  app.require_subcommand(1);
  std::string path;
  bool tensors = false;
  CLI::App* info_app = app.add_subcommand("info", "what a net file holds; checks it from end to end");
  info_app->add_option("file", path, "net file")->required();
  info_app->add_flag("--tensors", tensors, "list all tensors with their shapes");
  NewNet o;
  CLI::App* new_app = app.add_subcommand("new", "write an untrained net");
  new_app->add_option("file", o.path, "file to write; must not exist")->required();
  new_app->add_option("--preset", o.preset, "nano, tiny, small, base or large")->capture_default_str();
  new_app->add_option("--seed", o.seed, "a seed gives the same net everywhere")->capture_default_str();
  new_app->add_option("--id", o.id, "the net's name (default: PRESET-seedSEED)");
  new_app->add_option("--rules", o.rules, "rule set that it will learn: " + xiangqi::rule_set_list())
      ->capture_default_str();
  if (!parse_command(app, argc, argv)) return 0;
  return app.got_subcommand(info_app) ? info(path, tensors) : make_new(o);
}

}  // namespace chuhe::cli
