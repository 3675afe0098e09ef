#pragma once
// The only code that calls HDF5: files in memory, one-dimensional tables of little-endian numbers, and
// attributes. Every dataset is chunked, compressed and carries Fletcher32 checksums. Internal to shards/.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe::shards::hdf5 {

enum class Number : uint8_t { U8, U16, U32, U64, I32, F32 };

/// One member of a row, or a dataset's only element.
struct Member {
  const char* name;
  size_t offset;  // in the struct in memory
  Number number;
};

/// A table: rows of a struct (members by name) or, with one member whose name is empty, of a plain number.
/// `width` above 1 makes a plain number's dataset two-dimensional: [rows][width].
struct Table {
  const char* name;
  std::span<const Member> members;
  size_t struct_size;  // of a row in memory, all columns
  size_t width = 1;
  bool shuffle = true;  // bytes of equal significance side by side before compression
};

/// A file being made. Holds the process's HDF5 lock while it lives, as Input does.
class Output {
 public:
  /// `user_block` bytes (512 or more, a power of two) are left free in front for the caller.
  explicit Output(size_t user_block);
  ~Output();
  void table(const Table& table, const void* rows, size_t count);
  void attribute(const char* name, uint64_t value);
  void attribute(const char* name, std::span<const uint64_t> values);
  void attribute(const char* name, std::string_view text);
  void attribute(const char* name, std::span<const std::string> texts);
  /// The file's bytes. Nothing may be added after that.
  std::string finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A file in memory. Every failure is an Error "<name>: ...".
class Input {
 public:
  Input(std::string_view bytes, const std::string& name);
  ~Input();
  /// Rows of the table; fails if it is missing or of another type.
  template <class Row>
  std::vector<Row> table(const Table& description) const {
    std::vector<Row> rows(this->rows(description) * description.struct_size / sizeof(Row));
    read(description, rows.data());
    return rows;
  }
  bool has(const char* attribute) const;
  uint64_t number(const char* attribute) const;
  std::string text(const char* attribute) const;

 private:
  size_t rows(const Table& table) const;
  void read(const Table& table, void* rows) const;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The version of the HDF5 library in use, "1.10.8".
std::string library_version();

}  // namespace chuhe::shards::hdf5
