#include <algorithm>
#include <utility>

#include "core/cel/regex.h"

namespace stowage::cel {
namespace {

using Op = RegexInstruction::Op;

bool Accepts(const RegexInstruction& instruction, const RuneRanges& ranges, Rune rune) {
  if (rune.width == 0) return false;
  switch (instruction.op) {
    case Op::kRune:
      return rune.value == instruction.count;
    case Op::kClass:
      return Contains(ranges.data() + instruction.argument, instruction.count, rune.value);
    case Op::kAny:
      return true;
    case Op::kAnyNotNewline:
      return rune.value != '\n';
    default:
      return false;
  }
}

}  // namespace

RegexMatcher::RegexMatcher(const Regex& regex, std::string_view text, uint64_t steps_max)
    : regex_(regex),
      text_(text),
      steps_max_(steps_max),
      steps_left_(steps_max),
      visits_(regex.program().size(), 0) {}

bool RegexMatcher::FindNext() {
  while (next_from_ <= text_.size()) {
    if (!Find(next_from_)) break;
    bool is_repeated = begin_ == end_ && begin_ == last_end_;
    if (end_ > next_from_) {
      next_from_ = end_;
    } else {
      next_from_ += std::max<size_t>(DecodeRune(text_.substr(next_from_)).width, 1);
    }
    last_end_ = end_;
    if (!is_repeated) return true;
  }
  next_from_ = text_.size() + 1;
  return false;
}

// All threads advance through the text together, so that no place of the program is visited twice
// per code point.
bool RegexMatcher::Search(size_t from, bool is_any_enough) {
  bool is_found = false;
  threads_.clear();
  ++round_;
  for (size_t at = from;;) {
    if (!is_found) Follow(0, at, at, &threads_);
    if (threads_.empty() && is_found) break;
    Rune rune = DecodeRune(text_.substr(at));
    ++round_;
    Advance(rune, at, &is_found);
    if (is_exhausted()) return false;
    if (rune.width == 0 || (is_found && is_any_enough)) break;
    at += rune.width;
  }
  return is_found;
}

void RegexMatcher::Advance(Rune rune, size_t at, bool* is_found) {
  next_threads_.clear();
  for (const Thread& thread : threads_) {
    const RegexInstruction& instruction = regex_.program()[thread.place];
    if (instruction.op == Op::kMatch) {
      *is_found = true;
      begin_ = thread.begin;
      end_ = at;
      break;  // the threads behind it have a lower priority
    }
    if (Accepts(instruction, regex_.ranges(), rune)) {
      Follow(thread.place + 1, thread.begin, at + rune.width, &next_threads_);
    }
  }
  std::swap(threads_, next_threads_);
}

// Adds the instructions that consume a code point, or match, and are reached from `place` without
// consuming one.
void RegexMatcher::Follow(uint32_t place, size_t begin, size_t at, std::vector<Thread>* threads) {
  stack_.push_back(place);
  while (!stack_.empty()) {
    place = stack_.back();
    stack_.pop_back();
    if (visits_[place] == round_) continue;
    visits_[place] = round_;
    if (steps_left_ > 0) --steps_left_;
    const RegexInstruction& instruction = regex_.program()[place];
    uint32_t away = place + static_cast<uint32_t>(instruction.argument);
    switch (instruction.op) {
      case Op::kJump:
        stack_.push_back(away);
        break;
      case Op::kSplit:
        stack_.push_back(away);
        stack_.push_back(place + 1);
        break;
      case Op::kSplitAway:
        stack_.push_back(place + 1);
        stack_.push_back(away);
        break;
      case Op::kMatch:
      case Op::kRune:
      case Op::kClass:
      case Op::kAny:
      case Op::kAnyNotNewline:
        threads->push_back({place, begin});
        break;
      default:
        if (Holds(instruction.op, at)) stack_.push_back(place + 1);
    }
  }
}

bool RegexMatcher::Holds(Op op, size_t at) const {
  switch (op) {
    case Op::kBeginText:
      return at == 0;
    case Op::kEndText:
      return at == text_.size();
    case Op::kBeginLine:
      return at == 0 || text_[at - 1] == '\n';
    case Op::kEndLine:
      return at == text_.size() || text_[at] == '\n';
    default: {
      bool is_boundary = (at > 0 && IsWord(at - 1)) != IsWord(at);
      return is_boundary == (op == Op::kWordBoundary);
    }
  }
}

bool RegexMatcher::IsWord(size_t at) const {
  if (at >= text_.size()) return false;
  char c = text_[at];
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

}  // namespace stowage::cel
