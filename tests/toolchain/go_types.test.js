import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseGoTypes } from '../../wasm/toolchain/go_types.js';
import { packageOf, tableText } from '../../wasm/toolchain/kubernetes_types.js';

const FOLDER = 'k8s.io/api/core/v1';

const SOURCE = `package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase is an alias of a basic type.
type Phase string

type Amounts map[Phase]resource.Quantity

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta \`json:",inline"\`
	// An embedded struct stands in its place.
	ThingSource \`json:",inline" protobuf:"bytes,2,opt,name=source"\`

	Spec ThingSpec \`json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"\`
}

type ThingSource struct {
	Path *string \`json:"path,omitempty" protobuf:"bytes,1,opt,name=path"\`
	hidden int
	Left Phase \`json:"-"\`
}

// +structType=atomic
type Reference struct {
	Name string \`json:"name"\`
}

type ThingSpec struct {
	// +patchMergeKey=port
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=port
	// +listMapKey=protocol
	Ports []Port \`json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"port"\`
	// +listType=atomic
	Others []Port \`json:"others,omitempty" patchStrategy:"merge" patchMergeKey:"port"\`
	// +listType=set
	Names []string \`json:"names" patchStrategy:"merge"\`
	// +mapType=atomic
	Selector map[string]string \`json:"selector,omitempty"\`
	Amounts Amounts \`json:"amounts,omitempty"\`
	Data map[string][]byte \`json:"data,omitempty"\`
	// +structType=granular
	Ref *Reference \`json:"ref,omitempty"\`
	Time metav1.Time \`json:"time,omitempty,omitzero"\`
	Seen metav1.Time \`json:"seen,omitempty"\`
	Count int32 \`json:"count"\`
}

type Port struct {
	Port int32 \`json:"port"\`
	// +default="TCP"
	Protocol Phase \`json:"protocol,omitempty"\`
}
`;

const META = `package v1
type TypeMeta struct {
	Kind string \`json:"kind,omitempty" protobuf:"bytes,1,opt,name=kind"\`
}
`;

test('Go types become the lines of the table, embedded structs in their place', () => {
  const types = parseGoTypes([
    { folder: 'k8s.io/apimachinery/pkg/apis/meta/v1', text: META },
    { folder: FOLDER, text: SOURCE },
  ]);
  const want = `kind v1 Thing
type core/v1.Port
 port int32 !
 protocol string default="TCP"
type core/v1.Reference atomic
 name string !
type core/v1.Thing
 kind string
 path string * #2.1
 spec ThingSpec ! #2
type core/v1.ThingSpec
 ports []Port keys=port,protocol ~merge
 others []Port ~merge/port
 names []string ! set ~merge
 selector map[]string atomic
 amounts map[]Quantity
 data map[]bytes
 ref Reference * granular
 time Time
 seen Time !
 count int32 !
`;
  assert.equal(tableText(types, { v1: ['Thing'] }), want);
});

test('a missing kind is named in the error', () => {
  assert.throws(() => tableText(new Map(), { 'apps/v1': ['Gone'] }), {
    message: 'k8s.io/api has no type k8s.io/api/apps/v1.Gone',
  });
});

test('packages are named by the first word of the group', () => {
  assert.equal(packageOf('v1'), 'k8s.io/api/core/v1');
  assert.equal(packageOf('scheduling.k8s.io/v1alpha2'), 'k8s.io/api/scheduling/v1alpha2');
});
