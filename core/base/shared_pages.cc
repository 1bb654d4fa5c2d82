#include "core/base/shared_pages.h"

#include <algorithm>
#include <new>

namespace stowage {

SharedPages::SharedPages(const ItemType& type, size_t size) : type_(&type), size_(size) {
  pages_.reserve((size + kPageItems - 1) / kPageItems);
  for (size_t first = 0; first < size; first += kPageItems) {
    size_t items = std::min(size - first, kPageItems);
    Page* page = NewPage((items + kBlockItems - 1) / kBlockItems);
    for (Block*& block : page->all()) {
      block = NewBlock(std::min(items, kBlockItems));
      type.construct(block + 1, block->size);
      items -= block->size;
    }
    pages_.push_back(page);
  }
}

SharedPages::SharedPages(const SharedPages& other)
    : type_(other.type_), pages_(other.pages_), size_(other.size_) {
  for (Page* page : pages_) ++page->holders;
}

SharedPages::Page* SharedPages::NewPage(size_t blocks) {
  void* memory = ::operator new(sizeof(Page) + blocks * sizeof(Block*));
  return new (memory) Page{1, static_cast<uint32_t>(blocks)};
}

// Its items are not constructed.
SharedPages::Block* SharedPages::NewBlock(size_t items) const {
  void* memory = ::operator new(sizeof(Block) + items * type_->size);
  return new (memory) Block{1, static_cast<uint32_t>(items)};
}

SharedPages::Block* SharedPages::Unshare(size_t index) {
  Page*& page = pages_[index / kPageItems];
  if (page->holders > 1) {
    Page* copy = NewPage(page->size);
    std::ranges::copy(page->all(), copy->blocks());
    for (Block* block : copy->all()) ++block->holders;
    --page->holders;
    page = copy;
  }
  Block*& block = page->blocks()[index / kBlockItems % kPageBlocks];
  if (block->holders > 1) {
    Block* copy = NewBlock(block->size);
    type_->copy(block + 1, block->size, copy + 1);
    --block->holders;
    block = copy;
  }
  return block;
}

void SharedPages::Release(Page* page) const {
  if (--page->holders > 0) return;
  for (Block* block : page->all()) {
    if (--block->holders > 0) continue;
    type_->destroy(block + 1, block->size);
    ::operator delete(block);
  }
  ::operator delete(page);
}

void SharedPages::ReleaseAll() {
  for (Page* page : pages_) Release(page);
}

}  // namespace stowage
