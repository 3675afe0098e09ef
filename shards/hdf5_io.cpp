#include "shards/hdf5_io.h"

#include <hdf5.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/error.h"

namespace chuhe::shards::hdf5 {
namespace {

// HDF5 is one library-wide state and Debian's build of it is not thread-safe, so neither can be its lock.
std::mutex& process_lock() {
  static std::mutex mutex;
  return mutex;
}

// Chunks of about this many bytes: readers take whole chunks, so larger ones would only cost memory.
constexpr size_t kChunkBytes = 512 * 1024;
constexpr unsigned kDeflateLevel = 4;  // level 6 saves 1 % and takes twice the time
// More than any sound shard's table; keeps a damaged count from asking for the machine's memory.
constexpr uint64_t kMaxTableBytes = 256ULL << 20;

class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  operator hid_t() const { return id_; }
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

class Session {
 public:
  Session() : lock_(process_lock()) {
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

hid_t file_number(Number n) {
  switch (n) {
    case Number::U8:
      return H5T_STD_U8LE;
    case Number::U16:
      return H5T_STD_U16LE;
    case Number::U32:
      return H5T_STD_U32LE;
    case Number::U64:
      return H5T_STD_U64LE;
    case Number::I32:
      return H5T_STD_I32LE;
    case Number::F32:
      return H5T_IEEE_F32LE;
  }
  CHUHE_CHECK(false);
}

hid_t memory_number(Number n) {
  switch (n) {
    case Number::U8:
      return H5T_NATIVE_UINT8;
    case Number::U16:
      return H5T_NATIVE_UINT16;
    case Number::U32:
      return H5T_NATIVE_UINT32;
    case Number::U64:
      return H5T_NATIVE_UINT64;
    case Number::I32:
      return H5T_NATIVE_INT32;
    case Number::F32:
      return H5T_NATIVE_FLOAT;
  }
  CHUHE_CHECK(false);
}

bool is_plain(const Table& table) {
  return table.members.size() == 1 && !*table.members[0].name;
}

Handle memory_type(const Table& table) {
  if (is_plain(table)) return {H5Tcopy(memory_number(table.members[0].number)), H5Tclose};
  Handle type(H5Tcreate(H5T_COMPOUND, table.struct_size), H5Tclose);
  for (const Member& m : table.members) H5Tinsert(type, m.name, m.offset, memory_number(m.number));
  return type;
}

// Members in the same order without gaps.
Handle file_type(const Table& table) {
  if (is_plain(table)) return {H5Tcopy(file_number(table.members[0].number)), H5Tclose};
  size_t size = 0;
  for (const Member& m : table.members) size += H5Tget_size(file_number(m.number));
  Handle type(H5Tcreate(H5T_COMPOUND, size), H5Tclose);
  size_t offset = 0;
  for (const Member& m : table.members) {
    H5Tinsert(type, m.name, offset, file_number(m.number));
    offset += H5Tget_size(file_number(m.number));
  }
  return type;
}

Handle text_type(size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<size_t>(size, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Our own calls on a file in memory fail only for lack of memory.
void must(bool ok, const char* what, const char* name) {
  if (!ok) throw Error("HDF5 cannot {} '{}' in memory", what, name);
}

// The memory behind a file in memory. Its bytes are taken when HDF5 frees them after closing the file:
// H5Fget_file_image of 1.10 clears a flag in the superblock that is under its checksum, and nobody can open
// that.
struct Image {
  size_t allocated = 0;
  size_t wanted = 0;  // bytes to keep at the end
  std::string bytes;

  static void* allocate(size_t size, H5FD_file_image_op_t, void* self) {
    static_cast<Image*>(self)->allocated = size;
    return std::calloc(1, size);
  }
  static void* copy(void* to, const void* from, size_t size, H5FD_file_image_op_t, void*) {
    return std::memcpy(to, from, size);
  }
  static void* reallocate(void* old, size_t size, H5FD_file_image_op_t, void* self) {
    auto* image = static_cast<Image*>(self);
    auto* memory = static_cast<char*>(std::realloc(old, size));
    // Gaps between objects become part of the file: equal games shall give equal bytes.
    if (memory && size > image->allocated) std::memset(memory + image->allocated, 0, size - image->allocated);
    if (memory) image->allocated = size;
    return memory;
  }
  static herr_t release(void* memory, H5FD_file_image_op_t why, void* self) {
    auto* image = static_cast<Image*>(self);
    if (why == H5FD_FILE_IMAGE_OP_FILE_CLOSE && image->wanted <= image->allocated)
      image->bytes.assign(static_cast<char*>(memory), image->wanted);
    std::free(memory);
    return 0;
  }
  static void* keep(void* self) { return self; }
  static herr_t let_go(void*) { return 0; }
};

}  // namespace

struct Output::Impl {
  Session session;
  const size_t user_block;
  Image image;
  Handle file;

  Handle create() {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_fapl_core(access, 1 << 20, false);
    H5FD_file_image_callbacks_t callbacks{
        Image::allocate, Image::copy, Image::reallocate, Image::release, Image::keep, Image::let_go, &image};
    H5Pset_file_image_callbacks(access, &callbacks);
    // From version 1.10 on all metadata carries checksums.
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_userblock(creation, user_block);
    H5Pset_obj_track_times(creation, false);    // no time of day in the bytes
    H5Pset_attr_phase_change(creation, 64, 0);  // attributes in the root's header: 2 KB less than in a heap
    return {H5Fcreate("shard in memory", H5F_ACC_TRUNC, creation, access), H5Fclose};
  }
  explicit Impl(size_t block) : user_block(block), file(create()) { must(file.ok(), "create", "file"); }

  void attribute(const char* name, hid_t type, hid_t memory, std::span<const hsize_t> dims,
                 const void* data) {
    const Handle space(
        dims.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(dims.size()), dims.data(), nullptr),
        H5Sclose);
    const Handle made(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    must(made.ok() && (data == nullptr || H5Awrite(made, memory, data) >= 0), "write attribute", name);
  }
};

Output::Output(size_t user_block) : impl_(std::make_unique<Impl>(user_block)) {}
Output::~Output() = default;

void Output::table(const Table& table, const void* rows, size_t count) {
  const Handle type = file_type(table);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  const hsize_t dims[2] = {count, table.width};
  const int rank = table.width > 1 ? 2 : 1;
  if (count > 0) {
    const hsize_t row_bytes = H5Tget_size(type) * table.width;
    const hsize_t chunk[2] = {std::min<hsize_t>(count, std::max<hsize_t>(1, kChunkBytes / row_bytes)),
                              table.width};
    H5Pset_chunk(creation, rank, chunk);
    if (table.shuffle) H5Pset_shuffle(creation);
    H5Pset_deflate(creation, kDeflateLevel);
    H5Pset_fletcher32(creation);
  }
  const Handle space(H5Screate_simple(rank, dims, nullptr), H5Sclose);
  const Handle dataset(H5Dcreate2(impl_->file, table.name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                       H5Dclose);
  must(dataset.ok(), "create dataset", table.name);
  if (count == 0) return;
  const Handle memory = memory_type(table);
  must(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0, "write dataset", table.name);
}

void Output::attribute(const char* name, uint64_t value) {
  impl_->attribute(name, H5T_STD_U64LE, H5T_NATIVE_UINT64, {}, &value);
}

void Output::attribute(const char* name, std::span<const uint64_t> values) {
  const hsize_t dims[1] = {values.size()};
  impl_->attribute(name, H5T_STD_U64LE, H5T_NATIVE_UINT64, dims, values.empty() ? nullptr : values.data());
}

void Output::attribute(const char* name, std::string_view text) {
  const Handle type = text_type(text.size());
  const char nothing = 0;
  impl_->attribute(name, type, type, {}, text.empty() ? &nothing : text.data());
}

void Output::attribute(const char* name, std::span<const std::string> texts) {
  size_t longest = 1;
  for (const auto& text : texts) longest = std::max(longest, text.size());
  std::string block(texts.size() * longest, '\0');
  for (size_t i = 0; i < texts.size(); ++i) texts[i].copy(block.data() + i * longest, longest);
  const Handle type = text_type(longest);
  const hsize_t dims[1] = {texts.size()};
  impl_->attribute(name, type, type, dims, texts.empty() ? nullptr : block.data());
}

std::string Output::finish() {
  must(H5Fflush(impl_->file, H5F_SCOPE_LOCAL) >= 0, "flush", "file");
  const ssize_t size = H5Fget_file_image(impl_->file, nullptr, 0);  // without the user block
  must(size > 0, "size", "file");
  impl_->image.wanted = impl_->user_block + size_t(size);
  must(impl_->file.close() && impl_->image.bytes.size() == impl_->image.wanted, "close", "file");
  return std::move(impl_->image.bytes);
}

struct Input::Impl {
  Session session;
  std::string name;
  Handle file;

  static Handle open(std::string_view bytes) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, 1 << 16, false);
    // HDF5 copies the image; its parameter is not const for the sake of callbacks that are not used here.
    H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size());
    return {H5Fopen("shard in memory", H5F_ACC_RDONLY, access), H5Fclose};
  }
  Impl(std::string_view bytes, const std::string& n) : name(n), file(open(bytes)) {
    if (!file.ok()) fail("not an HDF5 file");
  }

  // The innermost reason on HDF5's error stack follows in brackets.
  [[noreturn]] void fail(const std::string& what) const {
    std::string reason;
    const auto keep = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
      if (error->desc) *static_cast<std::string*>(out) = error->desc;
      return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep, &reason);
    throw Error("{}: {}{}", name, what, reason.empty() ? "" : " (" + reason + ")");
  }

  Handle dataset(const Table& table) const {
    Handle opened(H5Dopen2(file, table.name, H5P_DEFAULT), H5Dclose);
    if (!opened.ok()) fail(fmt::format("no dataset '{}'", table.name));
    return opened;
  }

  Handle attribute(const char* attribute_name) const {
    Handle opened(H5Aopen(file, attribute_name, H5P_DEFAULT), H5Aclose);
    if (!opened.ok()) fail(fmt::format("no attribute '{}'", attribute_name));
    return opened;
  }
};

Input::Input(std::string_view bytes, const std::string& name) : impl_(std::make_unique<Impl>(bytes, name)) {}
Input::~Input() = default;

size_t Input::rows(const Table& table) const {
  const Handle dataset = impl_->dataset(table);
  const Handle stored(H5Dget_type(dataset), H5Tclose);
  if (H5Tequal(stored, file_type(table)) <= 0)
    impl_->fail(fmt::format("dataset '{}' is of another type than docs/shard_format.md says", table.name));
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = table.width > 1 ? 2 : 1;
  hsize_t dims[2] = {0, 1};
  if (H5Sget_simple_extent_ndims(space) != rank || H5Sget_simple_extent_dims(space, dims, nullptr) != rank ||
      dims[1] != table.width)
    impl_->fail(fmt::format("dataset '{}' is of another shape than docs/shard_format.md says", table.name));
  if (dims[0] > kMaxTableBytes / table.struct_size)
    impl_->fail(fmt::format("dataset '{}' claims {} rows", table.name, dims[0]));
  return size_t(dims[0]);
}

void Input::read(const Table& table, void* rows) const {
  const Handle dataset = impl_->dataset(table);
  const Handle memory = memory_type(table);
  if (H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) < 0)
    impl_->fail(fmt::format("cannot read dataset '{}'", table.name));
}

bool Input::has(const char* attribute) const {
  return H5Aexists(impl_->file, attribute) > 0;
}

uint64_t Input::number(const char* attribute) const {
  const Handle opened = impl_->attribute(attribute);
  const Handle type(H5Aget_type(opened), H5Tclose), space(H5Aget_space(opened), H5Sclose);
  uint64_t value = 0;
  if (H5Tget_class(type) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 1 ||
      H5Aread(opened, H5T_NATIVE_UINT64, &value) < 0)
    impl_->fail(fmt::format("attribute '{}' is not a number", attribute));
  return value;
}

std::string Input::text(const char* attribute) const {
  const Handle opened = impl_->attribute(attribute);
  const Handle type(H5Aget_type(opened), H5Tclose), space(H5Aget_space(opened), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Sget_simple_extent_npoints(space) != 1)
    impl_->fail(fmt::format("attribute '{}' is not a text of fixed length", attribute));
  std::string value(H5Tget_size(type), '\0');
  if (H5Aread(opened, text_type(value.size()), value.data()) < 0)
    impl_->fail(fmt::format("cannot read attribute '{}'", attribute));
  value.resize(value.find_last_not_of('\0') + 1);
  return value;
}

std::string library_version() {
  const Session session;
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace chuhe::shards::hdf5
