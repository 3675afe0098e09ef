#pragma once
// Files that appear whole: written under a temporary name, synced, renamed. Readers never meet a half-written
// one.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe {

/// Reads a whole file. Throws Error naming the path and the cause.
std::string read_file(const std::filesystem::path& path);

/// Writes data under `path + ".tmp"`, syncs file and folder, renames. Throws Error naming the path and the
/// cause (for example a full disk), and then leaves neither the temporary file nor a changed `path`.
void write_file_atomically(const std::filesystem::path& path, std::string_view data, bool read_only = false);

/// Syncs an existing file (or folder) to disk; renames a finished temporary file into place and syncs the
/// folder.
void sync_path(const std::filesystem::path& path);
void rename_into_place(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// Appends one line (a newline is added) with a single write(2), so that a kill leaves at most one cut last
/// line.
void append_line(const std::filesystem::path& path, std::string_view line);

/// The complete lines of a file; a last line without a newline (a kill during append) is dropped. No file: no
/// lines.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// Makes the folder and its parents. Throws Error naming it.
void make_folder(const std::filesystem::path& path);

}  // namespace chuhe
