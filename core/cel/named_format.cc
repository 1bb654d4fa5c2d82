#include "core/cel/named_format.h"

#include "core/api/validation_names.h"
#include "core/base/instant.h"
#include "core/cel/regex.h"
#include "core/cel/url.h"

namespace stowage::cel {
namespace {

constexpr size_t kLabelLengthMax = 63;

constexpr std::string_view kDns1123LabelMessage =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kDns1035LabelMessage =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kDns1123Label = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
constexpr std::string_view kDns1035Label = "^[a-z]([-a-z0-9]*[a-z0-9])?$";
constexpr std::string_view kUuid =
    "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$";
constexpr std::string_view kBase64 =
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$";
constexpr std::string_view kTimeOfDay =
    "^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?([zZ]|([+-][0-9]{2}:[0-9]{2}))$";

bool Matches(std::string_view pattern, std::string_view text) {
  Result<Regex, RegexError> regex = Regex::Compile(pattern);
  CHECK(regex.ok());
  return RegexMatcher(*regex, text).Matches();
}

using Messages = std::vector<std::string>;

Messages UnlessGood(bool is_good, std::string_view message) {
  return is_good ? Messages{} : Messages{std::string(message)};
}

void AddLengthFault(std::string_view text, Messages* messages) {
  if (text.size() > kLabelLengthMax) messages->push_back("must be no more than 63 bytes");
}

Messages CheckDns1123Label(std::string_view text) {
  Messages messages;
  AddLengthFault(text, &messages);
  if (Matches(kDns1123Label, text)) return messages;
  bool has_dots = IsDns1123Subdomain(text);
  messages.emplace_back(has_dots ? "must not contain dots" : kDns1123LabelMessage);
  return messages;
}

Messages CheckDns1035Label(std::string_view text) {
  Messages messages;
  AddLengthFault(text, &messages);
  if (!Matches(kDns1035Label, text)) messages.emplace_back(kDns1035LabelMessage);
  return messages;
}

// A prefix of a name may end with '-', because more will follow.
template <Messages (*kCheck)(std::string_view)>
Messages CheckPrefix(std::string_view text) {
  if (text.size() < 2 || !text.ends_with('-')) return kCheck(text);
  return kCheck(std::string(text.substr(0, text.size() - 2)) + "a");
}

Messages CheckUri(std::string_view text) {
  std::string fault = Url::RequestUriFault(text);
  return UnlessGood(fault.empty(), fault);
}

Messages CheckUuid(std::string_view text) {
  return UnlessGood(Matches(kUuid, text), "does not match the UUID format");
}

Messages CheckByte(std::string_view text) {
  return UnlessGood(Matches(kBase64, text), "invalid base64");
}

bool IsDate(std::string_view text) {
  constexpr size_t kDateSize = 10;
  return text.size() == kDateSize && Instant::Parse(std::string(text) + "T00:00:00Z").has_value();
}

Messages CheckDate(std::string_view text) { return UnlessGood(IsDate(text), "invalid date"); }

// As in the reference, the offset of the time zone may be any, and so may be what follows another
// 't'.
bool IsDatetime(std::string_view text) {
  size_t mark = text.find_first_of("tT");
  if (mark == std::string_view::npos || !IsDate(text.substr(0, mark))) return false;
  text.remove_prefix(mark + 1);
  text = text.substr(0, text.find_first_of("tT"));
  if (!Matches(kTimeOfDay, text)) return false;
  return text.substr(0, 2) <= "23" && text.substr(3, 2) <= "59" && text.substr(6, 2) <= "59";
}

Messages CheckDatetime(std::string_view text) {
  return UnlessGood(IsDatetime(text), "invalid datetime");
}

constexpr uint32_t kUriPatternSize = 1000;

constexpr NamedFormat kFormats[] = {
    {"dns1123Label", 30, CheckDns1123Label},
    {"dns1123Subdomain", 60, Dns1123SubdomainErrors},
    {"dns1035Label", 30, CheckDns1035Label},
    {"qualifiedName", 60, QualifiedNameErrors},
    {"dns1123LabelPrefix", 30, CheckPrefix<CheckDns1123Label>},
    {"dns1123SubdomainPrefix", 60, CheckPrefix<Dns1123SubdomainErrors>},
    {"dns1035LabelPrefix", 30, CheckPrefix<CheckDns1035Label>},
    {"labelValue", 40, LabelValueErrors},
    {"uri", kUriPatternSize, CheckUri},
    {"uuid", kUuid.size(), CheckUuid},
    {"byte", kBase64.size(), CheckByte},
    {"date", 10, CheckDate},
    {"datetime", kTimeOfDay.size(), CheckDatetime},
};

}  // namespace

std::span<const NamedFormat> NamedFormats() { return kFormats; }

}  // namespace stowage::cel
