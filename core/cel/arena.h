// Arena owns the memory of one evaluation or of one compiled program, and frees it as a whole.
//
// Its size is bounded: an expression can multiply its values (`s + s`) while the cost counts the
// operations only. Beyond the bound `Allocate` returns null, and the evaluation ends with an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stowage::cel {

class Arena {
 public:
  static constexpr size_t kBytesMax = 32u << 20;

  explicit Arena(size_t bytes_max = kBytesMax) : bytes_left_(bytes_max) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Memory aligned to 8 bytes, not initialised; null once the bound is reached, and ever after.
  void* Allocate(size_t bytes);
  // A copy of the text; empty if there is no memory left.
  std::string_view Copy(std::string_view text);
  // An object without a destructor; null if there is no memory left.
  template <typename T, typename... Arguments>
  T* New(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    void* place = Allocate(sizeof(T));
    return place == nullptr ? nullptr : new (place) T{std::forward<Arguments>(arguments)...};
  }
  // Keeps an object that has a destructor (a Quantity, a Regex) until the arena ends. Not counted
  // against the bound: callers bound the number of such objects by their cost.
  template <typename T>
  const T* Own(T value) {
    auto* object = new T(std::move(value));
    owned_.push_back({object, [](const void* place) { delete static_cast<const T*>(place); }});
    return object;
  }

  bool is_exhausted() const { return is_exhausted_; }

 private:
  static constexpr size_t kAlignment = 8;
  static constexpr size_t kBlockBytes = 2048;
  struct Owned {
    const void* object;
    void (*destroy)(const void*);
  };

  std::vector<std::unique_ptr<uint64_t[]>> blocks_;
  std::vector<Owned> owned_;
  char* at_ = nullptr;
  size_t block_left_ = 0;
  size_t bytes_left_;
  bool is_exhausted_ = false;
};

}  // namespace stowage::cel
