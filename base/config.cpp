#include "base/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/error.h"
#include "base/files.h"

namespace chuhe {
namespace {

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", int(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// The shortest text that reads back as the same double, in TOML's spelling.
std::string toml_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string range_text(Range range, bool whole) {
  const auto bound = [&](double b) { return whole ? fmt::format("{:.0f}", b) : fmt::format("{:g}", b); };
  return fmt::format("[{}, {}]", bound(range.min), bound(range.max));
}

std::string node_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return toml_text(text->get());
  if (const auto* number = node.as_floating_point()) return toml_float(number->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (node.is_table()) return "{}";
  if (node.is_array()) return "[]";
  std::ostringstream out;
  node.visit([&](const auto& n) { out << n; });
  return out.str();
}

// What was got, for messages.
std::string shown(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  return node_text(node);
}

// Calls use(node) with the one value that the TOML text holds.
template <class Use>
void with_value(std::string_view text, Use use) {
  const toml::parse_result table = [&] {
    try {
      return toml::parse("v = " + std::string(text));
    } catch (const toml::parse_error&) {
      throw Error("expected a TOML value, got {}", text);
    }
  }();
  const toml::node* node = table.get("v");
  if (table.size() != 1 || !node) throw Error("expected one TOML value, got {}", text);
  use(*node);
}

template <class Int>
void set_whole(std::string_view text, Int& field, Range range) {
  with_value(text, [&](const toml::node& node) {
    const auto* number = node.as_integer();
    if (!number || double(number->get()) < range.min || double(number->get()) > range.max)
      throw Error("expected a whole number in {}, got {}", range_text(range, true), shown(node));
    field = Int(number->get());
  });
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

std::string nearest_name(const Fields& fields, std::string_view name) {
  std::string best;
  size_t best_distance = std::numeric_limits<size_t>::max();
  for (const auto& field : fields.all()) {
    // A right name in the wrong table is one step away.
    const size_t distance =
        std::min(edit_distance(name, field.name), edit_distance(last_part(name), last_part(field.name)) + 1);
    if (distance < best_distance) {
      best_distance = distance;
      best = field.name;
    }
  }
  return best;
}

const Fields::Field& find_field(const Fields& fields, const std::string& name) {
  for (const auto& field : fields.all())
    if (field.name == name) return field;
  throw Error("unknown key '{}'; the nearest known one is '{}'", name, nearest_name(fields, name));
}

void apply_table(const Fields& fields, const toml::table& table, const std::string& prefix,
                 std::string_view source) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    try {
      const auto& field = find_field(fields, name);
      if (field.is_table != node.is_table())
        throw Error("{}: expected a {}, got {}", name, field.is_table ? "table" : "value", shown(node));
      if (field.is_table) continue;
      try {
        field.set(node_text(node));
      } catch (const Error& e) {
        throw Error("{}: {}", name, e.what());
      }
    } catch (const Error& e) {
      throw Error("{}:{}: {}", source, key.source().begin.line, e.what());
    }
  }
  for (const auto& [key, node] : table)
    if (const auto* inner = node.as_table())
      apply_table(fields, *inner, prefix + std::string(key.str()) + ".", source);
}

toml::table parsed(std::string_view text, std::string_view source) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& e) {
    throw Error("{}:{}: not TOML: {}", source, e.source().begin.line, e.description());
  }
}

void collect_keys(const toml::table& table, const std::string& prefix, std::set<std::string>& keys) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* inner = node.as_table())
      collect_keys(*inner, name + ".", keys);
    else
      keys.insert(name);
  }
}

void print_field(std::string& out, const Fields::Field& field, bool with_docs) {
  if (with_docs) out += fmt::format("# {}{}\n", field.doc, field.range.empty() ? "" : "; " + field.range);
  out += fmt::format("{} = {}\n", last_part(field.name), field.get());
}

}  // namespace

std::string Fields::full_name(std::string_view name) const {
  std::string full;
  for (const auto& part : prefix_) full += part + ".";
  full += name;
  for (const auto& field : fields_) CHUHE_CHECK(field.name != full, "setting '{}' is described twice", full);
  return full;
}

void Fields::operator()(std::string_view name, bool& field, std::string_view doc) {
  const auto set = [&field](std::string_view text) {
    with_value(text, [&](const toml::node& node) {
      const auto* flag = node.as_boolean();
      if (!flag) throw Error("expected true or false, got {}", shown(node));
      field = flag->get();
    });
  };
  fields_.push_back(
      {full_name(name), std::string(doc), "", [&field] { return field ? "true" : "false"; }, set});
}

void Fields::operator()(std::string_view name, int& field, std::string_view doc, Range range) {
  fields_.push_back({full_name(name), std::string(doc), range_text(range, true),
                     [&field] { return fmt::format("{}", field); },
                     [&field, range](std::string_view text) { set_whole(text, field, range); }});
}

void Fields::operator()(std::string_view name, int64_t& field, std::string_view doc, Range range) {
  fields_.push_back({full_name(name), std::string(doc), range_text(range, true),
                     [&field] { return fmt::format("{}", field); },
                     [&field, range](std::string_view text) { set_whole(text, field, range); }});
}

// TOML's integers end at 2^63 - 1: larger ones are written as a text.
void Fields::operator()(std::string_view name, uint64_t& field, std::string_view doc) {
  const auto get = [&field] {
    const std::string digits = fmt::format("{}", field);
    return field > uint64_t(std::numeric_limits<int64_t>::max()) ? toml_text(digits) : digits;
  };
  const auto set = [&field](std::string_view text) {
    with_value(text, [&](const toml::node& node) {
      const auto* number = node.as_integer();
      const auto* words = node.as_string();
      uint64_t value = number ? uint64_t(number->get()) : 0;
      bool ok = number && number->get() >= 0;
      if (words) {
        const std::string& digits = words->get();
        const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        ok = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
      }
      if (!ok)
        throw Error("expected a whole number from 0 to 2^64 - 1 (in quotes beyond 2^63 - 1), got {}",
                    shown(node));
      field = value;
    });
  };
  fields_.push_back({full_name(name), std::string(doc), "", get, set});
}

void Fields::operator()(std::string_view name, double& field, std::string_view doc, Range range) {
  const auto set = [&field, range](std::string_view text) {
    with_value(text, [&](const toml::node& node) {
      const auto value = node.is_number() ? node.value<double>() : std::nullopt;
      if (!value || !(*value >= range.min && *value <= range.max))
        throw Error("expected a number in {}, got {}", range_text(range, false), shown(node));
      field = *value;
    });
  };
  fields_.push_back({full_name(name), std::string(doc), range_text(range, false),
                     [&field] { return toml_float(field); }, set});
}

void Fields::operator()(std::string_view name, std::string& field, std::string_view doc) {
  const auto set = [&field](std::string_view text) {
    with_value(text, [&](const toml::node& node) {
      const auto* words = node.as_string();
      if (!words) throw Error("expected a text in quotes, got {}", shown(node));
      field = words->get();
    });
  };
  fields_.push_back({full_name(name), std::string(doc), "", [&field] { return toml_text(field); }, set});
}

void Fields::operator()(std::string_view name, std::string& field, std::string_view doc, Choices choices) {
  const std::string listed = fmt::format("one of {}", fmt::join(choices, ", "));
  const auto set = [&field, choices, listed](std::string_view text) {
    with_value(text, [&](const toml::node& node) {
      const auto* words = node.as_string();
      if (!words || std::find(choices.begin(), choices.end(), words->get()) == choices.end())
        throw Error("expected {}, got {}", listed, shown(node));
      field = words->get();
    });
  };
  fields_.push_back({full_name(name), std::string(doc), listed, [&field] { return toml_text(field); }, set});
}

void Fields::begin_table(std::string_view name, std::string_view doc) {
  Field table{full_name(name), std::string(doc), "", [] { return std::string(); }, [](std::string_view) {}};
  table.is_table = true;
  fields_.push_back(std::move(table));
  prefix_.emplace_back(name);
}

void Fields::end_table() {
  prefix_.pop_back();
}

void apply_toml(const Fields& fields, std::string_view text, std::string_view source) {
  apply_table(fields, parsed(text, source), "", source);
}

std::set<std::string> toml_keys(std::string_view text, std::string_view source) {
  std::set<std::string> keys;
  collect_keys(parsed(text, source), "", keys);
  return keys;
}

std::vector<FieldDifference> differences(const Fields& before, const Fields& now) {
  CHUHE_CHECK(before.all().size() == now.all().size(), "structs of two types");
  std::vector<FieldDifference> list;
  for (size_t i = 0; i < now.all().size(); ++i) {
    const Fields::Field &a = before.all()[i], &b = now.all()[i];
    if (!a.is_table && a.get() != b.get()) list.push_back({a.name, a.get(), b.get()});
  }
  return list;
}

void apply_toml_file(const Fields& fields, const std::string& path) {
  apply_toml(fields, read_file(path), path);
}

void apply_override(const Fields& fields, std::string_view key_value) {
  const size_t equals = key_value.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw Error("--set {}: expected key=value, such as --set train.learning_rate=0.001", key_value);
  const auto trim = [](std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  };
  const std::string name(trim(key_value.substr(0, equals)));
  const std::string_view value = trim(key_value.substr(equals + 1));
  try {
    const auto& field = find_field(fields, name);
    if (field.is_table) throw Error("{} is a table: set one of its keys, such as {}.KEY=VALUE", name, name);
    try {
      field.set(value);
    } catch (const Error& first) {
      try {  // a shell eats quotes, so a bare word is a text
        field.set(toml_text(value));
      } catch (const Error& second) {
        const bool is_word = std::string_view(first.what()).find("TOML value") != std::string_view::npos;
        throw Error("{}: {}", name, is_word ? second.what() : first.what());
      }
    }
  } catch (const Error& e) {
    throw Error("--set {}: {}", key_value, e.what());
  }
}

std::string to_toml(const Fields& fields, bool with_docs) {
  const auto parent = [](std::string_view name) {
    const size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
  };
  std::string out;
  const auto print_children = [&](std::string_view table) {
    for (const auto& field : fields.all())
      if (!field.is_table && parent(field.name) == table) print_field(out, field, with_docs);
  };
  print_children("");  // TOML wants the keys of the top before the first table
  for (const auto& table : fields.all()) {
    if (!table.is_table) continue;
    if (!out.empty()) out += '\n';
    if (with_docs) out += fmt::format("# {}\n", table.doc);
    out += fmt::format("[{}]\n", table.name);
    print_children(table.name);
  }
  return out;
}

}  // namespace chuhe
