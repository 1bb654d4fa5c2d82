#include "core/cel/regex_compiler.h"

#include <algorithm>
#include <utility>

namespace stowage::cel {
Result<Regex, RegexError> Regex::Compile(std::string_view pattern) {
  return RegexCompiler(pattern).Compile();
}

Result<Regex, RegexError> RegexCompiler::Compile() {
  groups_.emplace_back();
  bool is_good = true;
  while (is_good && !rest_.empty()) {
    is_good = ParseNext();
    if (is_good && (regex_.program_.size() > Regex::kInstructionsMax ||
                    regex_.ranges_.size() > Regex::kRangesMax)) {
      is_good = Fail("expression too large", pattern_);
    }
  }
  if (is_good && groups_.size() > 1) is_good = Fail("missing closing )", pattern_);
  if (!is_good) return RegexError{std::move(error_)};
  EndAlternatives();
  Emit(Op::kMatch);
  return std::move(regex_);
}

bool RegexCompiler::Fail(std::string_view code, std::string_view expression) {
  error_ = "error parsing regexp: ";
  error_.append(code).append(": `").append(expression).append("`");
  return false;
}

void RegexCompiler::Emit(Op op, uint32_t count, size_t argument) {
  regex_.program_.push_back({op, count, static_cast<int32_t>(argument)});
}

// What follows is no part of the last atom any more.
void RegexCompiler::BeginAtom(bool is_nullable) {
  Group& group = groups_.back();
  group.is_branch_nullable = group.is_branch_nullable && group.atom.is_nullable;
  group.copies = std::max(group.copies, group.atom.copies);
  group.atom = {regex_.program_.size(), true, is_nullable, 1};
}

void RegexCompiler::AddLiteral(uint32_t rune) {
  if (flags_.fold_case) {
    RuneRanges variants = {{rune, rune}};
    AddCaseVariants(&variants);
    if (variants.size() > 1 || variants[0].first != variants[0].last) {
      AddClass(std::move(variants));
      return;
    }
  }
  BeginAtom(false);
  Emit(Op::kRune, rune);
}

void RegexCompiler::AddClass(RuneRanges ranges) {
  BeginAtom(false);
  Emit(Op::kClass, static_cast<uint32_t>(ranges.size()), regex_.ranges_.size());
  regex_.ranges_.insert(regex_.ranges_.end(), ranges.begin(), ranges.end());
}

void RegexCompiler::AddAssertion(Op op) {
  BeginAtom(true);
  Emit(op);
}

void RegexCompiler::OpenGroup() {
  BeginAtom(true);
  Group group;
  group.flags_outside = flags_;
  group.branch_begin = regex_.program_.size();
  group.exits_begin = exits_.size();
  groups_.push_back(group);
}

bool RegexCompiler::CloseGroup() {
  if (groups_.size() == 1) return Fail("unexpected )", pattern_);
  EndAlternatives();
  Group closed = groups_.back();
  groups_.pop_back();
  flags_ = closed.flags_outside;
  groups_.back().atom.is_nullable = closed.is_nullable;
  groups_.back().atom.copies = closed.copies;
  return true;
}

void RegexCompiler::EndAlternative() {
  Group& group = groups_.back();
  size_t length = regex_.program_.size() - group.branch_begin;
  auto begin = regex_.program_.begin() + static_cast<ptrdiff_t>(group.branch_begin);
  regex_.program_.insert(begin, {Op::kSplit, 0, static_cast<int32_t>(length + 2)});
  exits_.push_back(regex_.program_.size());
  Emit(Op::kJump);
  BeginAtom(true);
  group.is_nullable = group.is_nullable || group.is_branch_nullable;
  group.is_branch_nullable = true;
  group.atom = Atom{};
  group.branch_begin = regex_.program_.size();
}

void RegexCompiler::EndAlternatives() {
  Group& group = groups_.back();
  BeginAtom(true);
  group.is_nullable = group.is_nullable || group.is_branch_nullable;
  size_t end = regex_.program_.size();
  for (; exits_.size() > group.exits_begin; exits_.pop_back()) {
    regex_.program_[exits_.back()].argument = static_cast<int32_t>(end - exits_.back());
  }
}

bool RegexCompiler::ApplyRepeat(Repeat repeat, bool is_greedy) {
  Atom& atom = groups_.back().atom;
  std::vector<RegexInstruction>& program = regex_.program_;
  const std::vector<RegexInstruction> body(program.begin() + static_cast<ptrdiff_t>(atom.begin),
                                           program.end());
  auto [min, max] = repeat;
  auto copies = static_cast<size_t>(std::max<int64_t>({min, max, 1}));
  if (copies * (body.size() + 1) > Regex::kInstructionsMax) {
    return Fail("expression too large", pattern_);
  }
  program.resize(atom.begin);
  auto emit_body = [&] { program.insert(program.end(), body.begin(), body.end()); };
  Op enter = is_greedy ? Op::kSplit : Op::kSplitAway;
  Op again = is_greedy ? Op::kSplitAway : Op::kSplit;
  auto length = static_cast<int32_t>(body.size());
  for (int64_t count = 0; count < min; ++count) emit_body();
  if (max < 0 && min == 0 && !atom.is_nullable) {
    program.push_back({enter, 0, length + 2});
    emit_body();
    program.push_back({Op::kJump, 0, -length - 1});
  } else if (max < 0) {
    // If x may match nothing, x* is (x+)?: otherwise the part that matches nothing would come
    // before what is behind it.
    if (min == 0) {
      program.push_back({enter, 0, length + 2});
      emit_body();
    }
    program.push_back({again, 0, -length});
  }
  // x{1,3} is x(x(x)?)?: each optional copy leads to the common end.
  for (int64_t left = max - min; left > 0; --left) {
    program.push_back({enter, 0, static_cast<int32_t>(left) * (length + 1)});
    emit_body();
  }
  atom.is_nullable = atom.is_nullable || min == 0;
  return true;
}

}  // namespace stowage::cel
