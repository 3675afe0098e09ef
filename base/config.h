#pragma once
// Settings: one struct field, one key, one line of documentation with unit and range. A struct names its
// fields once,
//
//   struct TrainSettings {
//     double learning_rate = 0.002;
//     void describe(Fields& f) { f("learning_rate", learning_rate, "peak learning rate", {1e-6, 10}); }
//   };
//
// and from that come the TOML reader (an unknown key is an error that names the nearest known one), `--set
// key=value`, the effective config and the generated configs/base.

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe {

struct Range {
  double min, max;
};

/// Collects the fields of a settings struct. Names are dotted: "train.learning_rate".
class Fields {
 public:
  using Choices = std::vector<std::string>;

  void operator()(std::string_view name, bool& field, std::string_view doc);
  void operator()(std::string_view name, int& field, std::string_view doc, Range range);
  void operator()(std::string_view name, int64_t& field, std::string_view doc, Range range);
  void operator()(std::string_view name, uint64_t& field, std::string_view doc);
  void operator()(std::string_view name, double& field, std::string_view doc, Range range);
  void operator()(std::string_view name, std::string& field, std::string_view doc);
  /// A text that must be one of the choices.
  void operator()(std::string_view name, std::string& field, std::string_view doc, Choices choices);

  /// A table of its own: `describe` of the member runs with names below `name`.
  template <class Struct>
  void table(std::string_view name, Struct& member, std::string_view doc) {
    begin_table(name, doc);
    member.describe(*this);
    end_table();
  }

  struct Field {
    std::string name;                                // dotted
    std::string doc;                                 // one line; unit and range included when printed
    std::string range;                               // text of the range or choices, may be empty
    std::function<std::string()> get;                // as TOML text
    std::function<void(std::string_view toml)> set;  // throws Error with what was expected (without the name)
    bool is_table = false;
  };
  const std::vector<Field>& all() const { return fields_; }

 private:
  void begin_table(std::string_view name, std::string_view doc);
  void end_table();
  std::string full_name(std::string_view name) const;
  std::vector<Field> fields_;
  std::vector<std::string> prefix_;
};

template <class Struct>
Fields fields_of(Struct& settings) {
  Fields f;
  settings.describe(f);
  return f;
}

/// Applies a TOML text to the fields. Throws Error "<source>:<line>: ..." for bad syntax, type, range or an
/// unknown key.
void apply_toml(const Fields& fields, std::string_view text, std::string_view source);
void apply_toml_file(const Fields& fields, const std::string& path);
/// Applies one "key=value" of the command line; the value is TOML, and a bare word is taken as a string.
void apply_override(const Fields& fields, std::string_view key_value);
/// A key whose values differ, both as TOML texts.
struct FieldDifference {
  std::string name, before, now;
};
/// The keys in which two structs of one type differ, in their order.
std::vector<FieldDifference> differences(const Fields& before, const Fields& now);
/// Dotted names of all values in a TOML text. Throws Error "<source>:<line>: ..." for bad syntax.
std::set<std::string> toml_keys(std::string_view text, std::string_view source);
/// Every key with its value; with_docs adds the line of documentation above each.
std::string to_toml(const Fields& fields, bool with_docs);

}  // namespace chuhe
