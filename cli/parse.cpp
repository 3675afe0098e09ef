#include "cli/parse.h"

#include <fmt/format.h>

#include "base/error.h"

namespace chuhe::cli {
namespace {

// CLI11 reads "-3" as an unsigned number: 18446744073709551613.
void refuse_negative_unsigned(CLI::App& app) {
  for (CLI::Option* option :
       app.get_options([](CLI::Option* o) { return o->get_type_name().starts_with("UINT"); }))
    option->check([](const std::string& text) {
      return text.starts_with('-') ? fmt::format("{}, expected a whole number that is not negative", text)
                                   : std::string();
    });
  for (CLI::App* below : app.get_subcommands([](CLI::App*) { return true; }))
    refuse_negative_unsigned(*below);
}

// "Value 0 not in range 0.000000 to 1797693...": what CLI11 says of a number that must be positive.
std::string readable(std::string text) {
  const size_t at = text.find(" not in range 0.000000 to 1797693");
  return at == text.npos ? text : text.substr(0, at) + ", expected more than 0";
}

}  // namespace

bool parse_command(CLI::App& app, int argc, char** argv) {
  refuse_negative_unsigned(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return false;
  } catch (const CLI::ParseError& e) {
    throw Error("{}: {}", argv[0], readable(e.what()));
  }
  return true;
}

}  // namespace chuhe::cli
