#include "core/api/validation_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stowage {
namespace {

const std::string kNameMessage =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation "
    "is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const std::string kSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', "
    "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

struct Case {
  std::string text;
  std::vector<std::string> want;
};

TEST(ValidationNames, ChecksQualifiedNames) {
  const Case cases[] = {
      {"simple", {}},
      {"now-with-dashes.and_more", {}},
      {"1-starts-with-num", {}},
      {"UPPER", {}},
      {"a", {}},
      {"example.com/name", {}},
      {"1.2/3", {}},
      {std::string(63, 'a'), {}},
      {std::string(253, 'a') + "/" + std::string(63, 'b'), {}},
      {"", {"name part must be non-empty", "name part " + kNameMessage}},
      {"invalid key", {"name part " + kNameMessage}},
      {"-leading", {"name part " + kNameMessage}},
      {"trailing.", {"name part " + kNameMessage}},
      {std::string("new\nline"), {"name part " + kNameMessage}},
      {std::string(64, 'a'), {"name part must be no more than 63 bytes"}},
      {std::string(64, '-'),
       {"name part must be no more than 63 bytes", "name part " + kNameMessage}},
      {"/name", {"prefix part must be non-empty"}},
      {"prefix/", {"name part must be non-empty", "name part " + kNameMessage}},
      {"Prefix/name", {"prefix part " + kSubdomainMessage}},
      {"under_score/name", {"prefix part " + kSubdomainMessage}},
      {"a..b/name", {"prefix part " + kSubdomainMessage}},
      {std::string(254, 'a') + "/name", {"prefix part must be no more than 253 bytes"}},
      {"a/b/c",
       {"a valid label key " + kNameMessage +
        " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(QualifiedNameErrors(c.text), c.want) << c.text;
    EXPECT_EQ(IsQualifiedName(c.text), c.want.empty()) << c.text;
  }
}

TEST(ValidationNames, ChecksLabelValues) {
  const std::string message =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
      "'.', "
      "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
      "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  const Case cases[] = {
      {"", {}},
      {"simple", {}},
      {"a.b-c_D", {}},
      {std::string(63, '9'), {}},
      {"-5", {message}},
      {"nospecialchars%^=@", {message}},
      {"Tama-nui-te-ra.-", {message}},
      {"a b", {message}},
      {std::string(64, 'a'), {"must be no more than 63 bytes"}},
      {std::string(64, '_'), {"must be no more than 63 bytes", message}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(LabelValueErrors(c.text), c.want) << c.text;
    EXPECT_EQ(IsValidLabelValue(c.text), c.want.empty()) << c.text;
  }
}

TEST(ValidationNames, ChecksDns1123Subdomains) {
  const Case subdomains[] = {
      {"a", {}},
      {"a.b.c", {}},
      {std::string(253, 'a'), {}},
      {"", {kSubdomainMessage}},
      {".a", {kSubdomainMessage}},
      {"a.", {kSubdomainMessage}},
      {"a..b", {kSubdomainMessage}},
      {"a.-b", {kSubdomainMessage}},
      {"A.b", {kSubdomainMessage}},
      {std::string(254, 'a'), {"must be no more than 253 bytes"}},
  };
  for (const Case& c : subdomains) {
    EXPECT_EQ(Dns1123SubdomainErrors(c.text), c.want) << c.text;
    EXPECT_EQ(IsDns1123Subdomain(c.text), c.want.empty()) << c.text;
  }
}

TEST(ValidationNames, ChecksDecimalIntegers) {
  for (std::string_view text : {"0", "1", "-1", "10", "-9223372036854775809"}) {
    EXPECT_TRUE(IsDecimalInteger(text)) << text;
  }
  for (std::string_view text : {"", "-", "-0", "01", "-01", "+1", "1.0", " 1", "1a"}) {
    EXPECT_FALSE(IsDecimalInteger(text)) << text;
  }
}

}  // namespace
}  // namespace stowage
