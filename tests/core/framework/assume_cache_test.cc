#include "core/framework/assume_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/persistent_volume.h"

namespace stowage {
namespace {

using Claims = AssumeCache<PersistentVolumeClaim>;

PersistentVolumeClaim Claim(std::string_view name, std::string_view version,
                            std::string_view volume = "") {
  PersistentVolumeClaim claim;
  claim.metadata.namespace_ = Symbol("ns");
  claim.metadata.name = Symbol(name);
  claim.metadata.resource_version = version;
  claim.spec.volume_name = Symbol(volume);
  return claim;
}

PersistentVolumeClaimRef Ref(const PersistentVolumeClaim& claim) {
  return std::make_shared<const PersistentVolumeClaim>(claim);
}

ObjectKey Key(std::string_view name) { return {Symbol("ns"), Symbol(name)}; }

// The objects of the API server, and a cache over them.
class Store {
 public:
  // Replaces the claim of the same name.
  Store& Put(const PersistentVolumeClaim& claim) {
    stored_[ObjectKey::Of(claim.metadata)] = Ref(claim);
    return *this;
  }
  void Remove(std::string_view name) { stored_.erase(Key(name)); }

  Claims& cache() { return cache_; }
  // The volume of the current claim; "none" if there is no claim.
  std::string VolumeOf(std::string_view name) const {
    PersistentVolumeClaimRef claim = cache_.Get(Key(name));
    return claim == nullptr ? "none" : claim->spec.volume_name.str();
  }
  PersistentVolumeClaimRef Find(const ObjectKey& key) const {
    auto found = stored_.find(key);
    return found == stored_.end() ? nullptr : found->second;
  }

 private:
  std::map<ObjectKey, PersistentVolumeClaimRef> stored_;
  Claims cache_{"persistentvolumeclaims", [this](const ObjectKey& key) { return Find(key); }};
};

// Goal: an assumed object replaces the stored one, which remains available.
TEST(AssumeCache, ReturnsTheCurrentObject) {
  Store store;
  store.Put(Claim("c", "1", "stored")).Put(Claim("d", "1", "other"));
  EXPECT_EQ(store.VolumeOf("c"), "stored");
  EXPECT_EQ(store.VolumeOf("x"), "none");
  EXPECT_EQ(store.cache().GetStored(Key("x")), nullptr);
  EXPECT_EQ(store.cache().size(), 0u);

  EXPECT_EQ(store.cache().Assume(Ref(Claim("c", "1", "assumed"))), std::nullopt);
  EXPECT_EQ(store.VolumeOf("c"), "assumed");
  EXPECT_EQ(store.cache().GetStored(Key("c"))->spec.volume_name, "stored");
  EXPECT_EQ(store.VolumeOf("d"), "other");
  EXPECT_EQ(store.cache().size(), 1u);

  EXPECT_EQ(store.cache().Assume(Ref(Claim("c", "1", "assumed again"))), std::nullopt);
  EXPECT_EQ(store.VolumeOf("c"), "assumed again");
  EXPECT_EQ(store.cache().size(), 1u);
}

// Goal: for a stored object, Latest returns the current one.
TEST(AssumeCache, ReturnsTheCurrentObjectForAStoredOne) {
  Store store;
  store.Put(Claim("c", "1")).Put(Claim("d", "1"));
  ASSERT_EQ(store.cache().Assume(Ref(Claim("c", "1", "assumed"))), std::nullopt);
  EXPECT_EQ(store.cache().Latest(nullptr), nullptr);
  EXPECT_EQ(store.cache().Latest(store.Find(Key("c")))->spec.volume_name, "assumed");
  PersistentVolumeClaimRef other = store.Find(Key("d"));
  EXPECT_EQ(store.cache().Latest(other), other);
  PersistentVolumeClaimRef newer = Ref(Claim("c", "2", "newer"));
  EXPECT_EQ(store.cache().Latest(newer), newer);
}

// Goal: the namespace is part of an object's identity.
TEST(AssumeCache, DistinguishesNamespaces) {
  Store store;
  PersistentVolumeClaim elsewhere = Claim("c", "1", "elsewhere");
  elsewhere.metadata.namespace_ = Symbol("other");
  store.Put(Claim("c", "1", "stored")).Put(elsewhere);
  ASSERT_EQ(store.cache().Assume(Ref(Claim("c", "1", "assumed"))), std::nullopt);
  EXPECT_EQ(store.cache().Get({Symbol("other"), Symbol("c")})->spec.volume_name, "elsewhere");
}

// Goal: only the stored version can be assumed; the reasons are upstream's.
TEST(AssumeCache, RefusesOtherVersions) {
  Store store;
  store.Put(Claim("c", "5", "stored")).Put(Claim("unversioned", ""));
  struct {
    PersistentVolumeClaim claim;
    std::optional<std::string> want;
  } cases[] = {
      {Claim("c", "4"), R"("ns/c" is out of sync (stored: 5, assume: 4))"},
      {Claim("c", "6"), R"("ns/c" is out of sync (stored: 5, assume: 6))"},
      {Claim("c", ""), R"("ns/c" is out of sync (stored: 5, assume: ))"},
      {Claim("c", "05"), R"("ns/c" is out of sync (stored: 5, assume: 05))"},
      {Claim("unversioned", "5"), R"("ns/unversioned" is out of sync (stored: , assume: 5))"},
      {Claim("x", "5"), R"(persistentvolumeclaims "ns/x" not found)"},
      {Claim("unversioned", ""), std::nullopt},
      {Claim("c", "5"), std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(store.cache().Assume(Ref(c.claim)), c.want);
  EXPECT_EQ(store.cache().size(), 2u);
}

// Goal: messages name cluster-scoped objects without a namespace.
TEST(AssumeCache, NamesObjects) {
  EXPECT_EQ(NotStoredMessage("persistentvolumes", {Symbol(), Symbol("pv")}),
            R"(persistentvolumes "pv" not found)");
  EXPECT_EQ(NotStoredMessage("persistentvolumeclaims", Key("c")),
            R"(persistentvolumeclaims "ns/c" not found)");
  ObjectMeta stored;
  stored.name = Symbol("pv");
  stored.resource_version = "1";
  ObjectMeta assumed = stored;
  EXPECT_EQ(AssumeFault(&stored, assumed, "persistentvolumes"), std::nullopt);
  EXPECT_EQ(AssumeFault(nullptr, assumed, "persistentvolumes"),
            R"(persistentvolumes "pv" not found)");
  assumed.resource_version = "2";
  EXPECT_EQ(AssumeFault(&stored, assumed, "persistentvolumes"),
            R"("pv" is out of sync (stored: 1, assume: 2))");
}

// Goal: a refused object changes nothing.
TEST(AssumeCache, KeepsTheAssumedObjectAfterARefusal) {
  Store store;
  store.Put(Claim("c", "1", "stored"));
  ASSERT_EQ(store.cache().Assume(Ref(Claim("c", "1", "assumed"))), std::nullopt);
  EXPECT_NE(store.cache().Assume(Ref(Claim("c", "2", "refused"))), std::nullopt);
  EXPECT_EQ(store.VolumeOf("c"), "assumed");
}

// Goal: a later version from the API server counts; the same version again does not.
TEST(AssumeCache, FollowsTheStore) {
  Store store;
  store.Put(Claim("c", "1", "stored"));
  ASSERT_EQ(store.cache().Assume(Ref(Claim("c", "1", "assumed"))), std::nullopt);
  store.Put(Claim("c", "1", "stored"));
  EXPECT_EQ(store.VolumeOf("c"), "assumed") << "the same version again";
  store.Put(Claim("c", "2", "newer"));
  EXPECT_EQ(store.VolumeOf("c"), "newer");
  ASSERT_EQ(store.cache().Assume(Ref(Claim("c", "2", "assumed"))), std::nullopt);
  EXPECT_EQ(store.VolumeOf("c"), "assumed");
  store.Remove("c");
  EXPECT_EQ(store.VolumeOf("c"), "none");
  store.Put(Claim("c", "3", "made again"));
  EXPECT_EQ(store.VolumeOf("c"), "made again");
}

// Goal: after a restore from a backup, versions are used again, and another object may have the
// name.
TEST(AssumeCache, DetectsAnotherObjectOfTheSameNameAndVersion) {
  Store store;
  PersistentVolumeClaim first = Claim("c", "7");
  first.metadata.uid = Symbol("1");
  PersistentVolumeClaim assumed = first;
  assumed.spec.volume_name = Symbol("v");
  EXPECT_FALSE(store.Put(first).cache().Assume(Ref(assumed)));
  EXPECT_EQ(store.VolumeOf("c"), "v");
  PersistentVolumeClaim another = Claim("c", "7");
  another.metadata.uid = Symbol("2");
  store.Put(another);
  EXPECT_EQ(store.VolumeOf("c"), "");
}

// Goal: without versions no two objects can be identified as the same, so each reported one is new.
TEST(AssumeCache, DropsUnversionedObjectsAtTheNextReport) {
  Store store;
  store.Put(Claim("c", "", "stored"));
  ASSERT_EQ(store.cache().Assume(Ref(Claim("c", "", "assumed"))), std::nullopt);
  EXPECT_EQ(store.VolumeOf("c"), "assumed");
  store.Put(Claim("c", "", "newer"));
  EXPECT_EQ(store.VolumeOf("c"), "newer");
}

// Goal: Restore drops the object that was assumed last, but not if another was assumed since.
TEST(AssumeCache, RestoresTheStoredObject) {
  Store store;
  store.Put(Claim("c", "1", "stored")).Put(Claim("d", "1", "stored"));
  const PersistentVolumeClaim first = Claim("c", "1", "assumed");
  store.cache().Restore(first);
  EXPECT_EQ(store.VolumeOf("c"), "stored") << "nothing was assumed";

  ASSERT_EQ(store.cache().Assume(Ref(first)), std::nullopt);
  ASSERT_EQ(store.cache().Assume(Ref(Claim("d", "1", "assumed"))), std::nullopt);
  store.cache().Restore(first);
  EXPECT_EQ(store.VolumeOf("c"), "stored");
  EXPECT_EQ(store.VolumeOf("d"), "assumed");
  EXPECT_EQ(store.cache().size(), 1u);

  store.Put(Claim("c", "2", "newer"));
  ASSERT_EQ(store.cache().Assume(Ref(Claim("c", "2", "assumed since"))), std::nullopt);
  store.cache().Restore(first);
  EXPECT_EQ(store.VolumeOf("c"), "assumed since");
}

// Goal: outdated entries do not accumulate. Method: objects that are assumed and deleted, and
// others that stay assumed.
TEST(AssumeCache, PrunesOutdatedEntries) {
  Store store;
  for (int number = 0; number < 1000; ++number) {
    std::string name = "c" + std::to_string(number);
    store.Put(Claim(name, "1", "stored"));
    ASSERT_EQ(store.cache().Assume(Ref(Claim(name, "1", "assumed"))), std::nullopt);
    if (number % 2 == 0) {
      store.Remove(name);
    } else {
      store.Put(Claim(name, "2", "newer"));
    }
    ASSERT_LE(store.cache().size(), 64u);
  }
  for (int number = 0; number < 200; ++number) {
    std::string name = "kept" + std::to_string(number);
    store.Put(Claim(name, "1", "stored"));
    ASSERT_EQ(store.cache().Assume(Ref(Claim(name, "1", "assumed"))), std::nullopt);
  }
  EXPECT_GE(store.cache().size(), 200u);
  EXPECT_LE(store.cache().size(), 264u);
  for (int number = 0; number < 200; ++number) {
    EXPECT_EQ(store.VolumeOf("kept" + std::to_string(number)), "assumed");
  }
}

}  // namespace
}  // namespace stowage
