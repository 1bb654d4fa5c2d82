#include "core/base/instant.h"

#include <charconv>
#include <iterator>

namespace stowage {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;

// Days since 1970-01-01 of a proleptic Gregorian date (Howard Hinnant's civil-day arithmetic).
int64_t DaysFromCivil(int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

struct Civil {
  int64_t year;
  int month;
  int day;
};

Civil CivilFromDays(int64_t days) {
  days += 719'468;
  int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  int64_t day_of_era = days - era * 146'097;
  int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t shifted_month = (5 * day_of_year + 2) / 153;
  int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

int DaysInMonth(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && is_leap ? 29 : kDays[month - 1];
}

// Reads digits and separators from the front of a text; after a failed read all further reads fail.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  int Digits(size_t count) {
    if (rest_.size() < count) return Fail();
    int value = 0;
    for (char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return Fail();
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  void Expect(char c) {
    if (rest_.empty() || rest_.front() != c) {
      Fail();
      return;
    }
    rest_.remove_prefix(1);
  }

  // ".123" or ",123" with any number of digits; digits below nanoseconds are cut, as in Go.
  int32_t Fraction() {
    if (rest_.empty() || (rest_.front() != '.' && rest_.front() != ',')) return 0;
    rest_.remove_prefix(1);
    int32_t nanos = 0;
    size_t count = 0;
    while (count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') {
      if (count < 9) nanos = nanos * 10 + (rest_[count] - '0');
      ++count;
    }
    if (count == 0) return Fail();
    for (size_t digit = count; digit < 9; ++digit) nanos *= 10;
    rest_.remove_prefix(count);
    return nanos;
  }

  int64_t OffsetSeconds() {
    if (rest_ == "Z") return 0;
    if (rest_.size() != 6 || (rest_[0] != '+' && rest_[0] != '-')) return Fail();
    int64_t sign = rest_[0] == '-' ? -1 : 1;
    rest_.remove_prefix(1);
    int hours = Digits(2);
    Expect(':');
    int minutes = Digits(2);
    if (hours > 24 || minutes > 60) return Fail();
    return sign * (hours * 3600 + minutes * 60);
  }

  bool ok() const { return ok_; }

 private:
  int Fail() {
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

Instant Instant::FromMicros(int64_t micros) {
  int64_t seconds = micros / 1'000'000;
  int64_t rest = micros % 1'000'000;
  if (rest < 0) {
    --seconds;
    rest += 1'000'000;
  }
  return {seconds, static_cast<int32_t>(rest * 1000)};
}

std::optional<Instant> Instant::Parse(std::string_view text) {
  TimeReader reader(text);
  int year = reader.Digits(4);
  reader.Expect('-');
  int month = reader.Digits(2);
  reader.Expect('-');
  int day = reader.Digits(2);
  reader.Expect('T');
  int hour = reader.Digits(2);
  reader.Expect(':');
  int minute = reader.Digits(2);
  reader.Expect(':');
  int second = reader.Digits(2);
  int32_t nanos = reader.Fraction();
  int64_t offset = reader.OffsetSeconds();
  if (!reader.ok() || month < 1 || month > 12 || day < 1) return std::nullopt;
  if (day > DaysInMonth(year, month) || hour > 23 || minute > 59 || second > 59)
    return std::nullopt;
  int64_t of_day = hour * 3600 + minute * 60 + second;
  return Instant{DaysFromCivil(year, month, day) * kSecondsPerDay + of_day - offset, nanos};
}

namespace {

// `value` with at least `width` digits.
void AppendDigits(int64_t value, size_t width, std::string* out) {
  char digits[20];
  size_t size = static_cast<size_t>(std::to_chars(digits, std::end(digits), value).ptr - digits);
  if (size < width) out->append(width - size, '0');
  out->append(digits, size);
}

// "2026-03-01T12:00:00"
void AppendDateTime(int64_t seconds, std::string* out) {
  int64_t days = seconds / kSecondsPerDay;
  int64_t of_day = seconds % kSecondsPerDay;
  if (of_day < 0) {
    --days;
    of_day += kSecondsPerDay;
  }
  Civil civil = CivilFromDays(days);
  AppendDigits(civil.year, 4, out);
  *out += '-';
  AppendDigits(civil.month, 2, out);
  *out += '-';
  AppendDigits(civil.day, 2, out);
  *out += 'T';
  AppendDigits(of_day / 3600, 2, out);
  *out += ':';
  AppendDigits(of_day / 60 % 60, 2, out);
  *out += ':';
  AppendDigits(of_day % 60, 2, out);
}

}  // namespace

std::string Instant::ToRfc3339() const {
  std::string text;
  AppendDateTime(seconds, &text);
  text += 'Z';
  return text;
}

std::string Instant::ToMicroTime() const {
  std::string text;
  AppendMicroTime(&text);
  return text;
}

void Instant::AppendMicroTime(std::string* out) const {
  AppendDateTime(seconds, out);
  *out += '.';
  AppendDigits(nanos / 1000, 6, out);
  *out += 'Z';
}

}  // namespace stowage
