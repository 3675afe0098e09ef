#pragma once
// Where the checkout lies. Functions of one source, so that no other object file holds its path and ccache serves
// all checkouts alike.

#include <filesystem>

namespace chuhe {

std::filesystem::path source_dir();
std::filesystem::path golden_dir();  // tests/golden

}  // namespace chuhe
