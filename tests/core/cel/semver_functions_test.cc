#include <gtest/gtest.h>

#include "core/cel/libraries.h"
#include "core/cel/semver.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

// Goal: the order of semantic versions. Method: each version precedes all that follow it.
TEST(Semver, HasTheOrderOfTheSpecification) {
  const std::string_view versions[] = {"0.0.1",
                                       "0.1.0",
                                       "0.2.0",
                                       "1.0.0-0",
                                       "1.0.0-2",
                                       "1.0.0-11",
                                       "1.0.0-A",
                                       "1.0.0-alpha",
                                       "1.0.0-alpha.1",
                                       "1.0.0-alpha.beta",
                                       "1.0.0-beta",
                                       "1.0.0-beta.2",
                                       "1.0.0-beta.11",
                                       "1.0.0-rc.1",
                                       "1.0.0",
                                       "1.0.1",
                                       "1.2.0",
                                       "1.10.0",
                                       "18446744073709551615.0.0"};
  for (size_t a = 0; a < std::size(versions); ++a) {
    for (size_t b = 0; b < std::size(versions); ++b) {
      int want = a < b ? -1 : a > b ? 1 : 0;
      EXPECT_EQ(Semver::Parse(versions[a])->Compare(*Semver::Parse(versions[b])), want)
          << versions[a] << " and " << versions[b];
    }
  }
  EXPECT_EQ(Semver::Parse("1.0.0+a")->Compare(*Semver::Parse("1.0.0+b")), 0);
  EXPECT_EQ(Semver::Parse("1.0.0-a+b-c.d")->prerelease, "a");
}

TEST(Semver, ReportsErrors) {
  struct {
    std::string_view text;
    std::string_view message;
  } cases[] = {
      {"", "Version string empty"},
      {"1", "No Major.Minor.Patch elements found"},
      {"1.2", "No Major.Minor.Patch elements found"},
      {"a.2.3", "Invalid character(s) found in major number \"a\""},
      {"v1.2.3", "Invalid character(s) found in major number \"v1\""},
      {"1.b.3", "Invalid character(s) found in minor number \"b\""},
      {"1.2.c", "Invalid character(s) found in patch number \"c\""},
      {"1.2.3.4", "Invalid character(s) found in patch number \"3.4\""},
      {"01.2.3", "Major number must not contain leading zeroes \"01\""},
      {"1.02.3", "Minor number must not contain leading zeroes \"02\""},
      {"1.2.03", "Patch number must not contain leading zeroes \"03\""},
      {".2.3", "strconv.ParseUint: parsing \"\": invalid syntax"},
      {"18446744073709551616.0.0",
       "strconv.ParseUint: parsing \"18446744073709551616\": value out of range"},
      {"1.2.3-", "Prerelease is empty"},
      {"1.2.3-a..b", "Prerelease is empty"},
      {"1.2.3-01", "Numeric PreRelease version must not contain leading zeroes \"01\""},
      {"1.2.3-a_b", "Invalid character(s) found in prerelease \"a_b\""},
      {"1.2.3+", "Build meta data is empty"},
      {"1.2.3+a_b", "Invalid character(s) found in build meta data \"a_b\""},
  };
  for (const auto& c : cases) {
    Result<Semver, SemverError> version = Semver::Parse(c.text);
    EXPECT_EQ(version.ok() ? "parsed" : version.fault().message, c.message) << c.text;
  }
}

TEST(Semver, Normalizes) {
  struct {
    std::string_view text;
    std::string_view normalized;
  } cases[] = {
      {"1", "1.0.0"},          {"1.2", "1.2.0"},        {"v1.2.3", "1.2.3"},
      {"v01.002.3", "1.2.3"},  {"00.0.000", "0.0.0"},   {"1.2.3-a+b", "1.2.3-a+b"},
      {"1.2.03-a", "1.2.3-a"}, {"1.2.00-a", "1.2.0-a"}, {"0", "0.0.0"},
      {"vv1.0.0", "0v1.0.0"},  {"1.2.3.4", "1.2.3.4"},  {"a", "a.0.0"},
  };
  for (const auto& c : cases) {
    Result<std::string, SemverError> normalized = NormalizedSemver(c.text);
    EXPECT_EQ(normalized.ok() ? *normalized : normalized.fault().message, c.normalized) << c.text;
  }
  EXPECT_EQ(NormalizedSemver("1.2-a").fault().message,
            "short version cannot contain PreRelease/Build meta data");
}

TEST(SemverFunctions, ConvertAndCompare) {
  LibraryCaller versions(SemverFunctions());
  auto version = [&](std::string_view text) { return versions.Call("semver", {S(text)}); };
  EXPECT_EQ(PrintValue(version("1.2.3")), "kubernetes.Semver");
  EXPECT_EQ(PrintValue(version("v1.0")), "error: No Major.Minor.Patch elements found");
  EXPECT_EQ(PrintValue(version("1.0.0-a.18446744073709551615")), "kubernetes.Semver");
  EXPECT_EQ(PrintValue(version("1.0.0-a.18446744073709551616")),
            "error: strconv.ParseUint: parsing \"18446744073709551616\": value out of range");
  EXPECT_EQ(PrintValue(version("1.0.0+18446744073709551616")), "kubernetes.Semver");
  EXPECT_EQ(versions.Print("semver", {S("v1.0"), Value::Bool(true)}), "kubernetes.Semver");
  EXPECT_EQ(versions.Print("isSemver", {S("1.0.0")}), "true");
  EXPECT_EQ(versions.Print("isSemver", {S("v1.0")}), "false");
  EXPECT_EQ(versions.Print("isSemver", {S("v1.0"), Value::Bool(true)}), "true");
  EXPECT_EQ(versions.Print("isSemver", {S("v1.0"), Value::Bool(false)}), "false");
  EXPECT_EQ(versions.Print("isSemver", {S("1.0-a"), Value::Bool(true)}), "false");
  EXPECT_EQ(versions.Print("isGreaterThan", {version("1.2.3"), version("1.2.2")}), "true");
  EXPECT_EQ(versions.Print("isLessThan", {version("1.2.3"), version("1.2.2")}), "false");
  EXPECT_EQ(versions.Print("compareTo", {version("1.2.3"), version("1.2.3")}), "0");
  EXPECT_EQ(versions.Print("compareTo", {version("1.2.2"), version("1.2.3")}), "-1");
  EXPECT_EQ(versions.Print("major", {version("1.2.3")}), "1");
  EXPECT_EQ(versions.Print("minor", {version("1.2.3")}), "2");
  EXPECT_EQ(versions.Print("patch", {version("1.2.3-a")}), "3");
  EXPECT_TRUE(Equal(version("1.2.3+a"), version("1.2.3")));
  EXPECT_FALSE(Equal(version("1.2.3-a"), version("1.2.3")));
  EXPECT_EQ(versions.Cost("semver", {S("100.200.300")}), 2u);
  EXPECT_EQ(versions.Cost("compareTo", {version("1.2.3"), version("1.2.3")}), 1u);
}

}  // namespace
}  // namespace stowage::cel
