// What the module of the wasm-counts preset adds to the boundary: how often each block ran, in the
// format that llvm-profdata reads (wasm/toolchain/profile.js).
#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <string>

// Of compiler-rt, which has no public header for a writer that includes the values of calls.
extern "C" {
struct ProfDataIOVec {
  const void* Data;
  size_t ElmSize;
  size_t NumElm;
  int UseZeroPadding;
};
struct ProfDataWriter {
  uint32_t (*Write)(ProfDataWriter* self, ProfDataIOVec* pieces, uint32_t count);
  void* WriterCtx;
};
void* lprofGetVPDataReader();
int lprofWriteData(ProfDataWriter* writer, void* values, int skip_names);
void __llvm_profile_reset_counters();

// compiler-rt writes a file at exit unless this symbol is defined.
extern int __llvm_profile_runtime;
int __llvm_profile_runtime = 0;
}

namespace {

uint32_t Append(ProfDataWriter* self, ProfDataIOVec* pieces, uint32_t count) {
  auto* text = static_cast<std::string*>(self->WriterCtx);
  for (uint32_t index = 0; index < count; ++index) {
    const auto& piece = pieces[index];
    const size_t size = piece.ElmSize * piece.NumElm;
    if (piece.Data != nullptr) {
      text->append(static_cast<const char*>(piece.Data), size);
    } else {
      text->append(size, '\0');
    }
  }
  return 0;
}

// Valid until the next call.
emscripten::val Counts() {
  static auto* bytes = new std::string;
  bytes->clear();
  ProfDataWriter writer{.Write = &Append, .WriterCtx = bytes};
  lprofWriteData(&writer, lprofGetVPDataReader(), 0);
  return emscripten::val(emscripten::typed_memory_view(
      bytes->size(), reinterpret_cast<const uint8_t*>(bytes->data())));
}

}  // namespace

EMSCRIPTEN_BINDINGS(profile_counts) {
  emscripten::function("counts", &Counts);
  emscripten::function("forgetCounts", &__llvm_profile_reset_counters);
}
