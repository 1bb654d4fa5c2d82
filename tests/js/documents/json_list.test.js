// Goal: a List in bytes is read as its text is, with the same positions, and what is no List is
// read as text. Method: the two readings side by side.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonList } from '../../../js/src/documents/json_list.js';
import { parseInput } from '../../../js/src/manifests/parse_input.js';
import { duplicateFieldsOf, positionOf } from '../../../js/src/manifests/positions.js';

const bytesOf = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** What a reading reports. @param {string | Uint8Array} text */
function read(text) {
  /** @type {unknown[]} */
  const calls = [];
  const note = (/** @type {string} */ name) => (/** @type {unknown} */ value) =>
    calls.push([name, value]);
  const objects = parseInput(text, {
    onError: (error) => note('error')(error.toJSON()),
    onList: note('list'),
    onRelease: note('release'),
    onConverted: note('converted'),
  });
  const step = Math.ceil(objects.length / 60);
  const looked = objects.filter((_, index) => index % step === 0);
  const positions = looked.map((object) => [
    positionOf(object),
    positionOf(object, 'spec.containers[0].name'),
    duplicateFieldsOf(object),
  ]);
  return { objects, positions, calls };
}

const POD =
  '{\n "kind": "Pod", "metadata": {"name": "ü\\"}"},\n "spec": {"containers": [{ "name": "c" }]}}';

const LISTS = {
  'no items': '{"kind":"List","items":[ ]}',
  'one item': `{"kind":"List","items":[${POD}]}`,
  'several items, and members after them': `{ "apiVersion": "v1",
    "items": [ ${POD} ,{"kind":"Node"}, ${POD}\n ], "kind": "List", "metadata": {"a": [1]} }\n`,
  'items without a kind': `{"apiVersion":"v1","kind":"NodeList","items":[{"metadata":{"name":"n"}}]}`,
  'a release': `{"kind":"List","kubernetesVersion":"v1.34","items":[${POD}]}`,
  'a list in a list': `{"kind":"List","items":[{"kind":"PodList","items":[${POD}]}]}`,
  'an item that is none': `{"kind":"List","items":[${POD}, null,\n 3]}`,
  'an older version': `{"kind":"List","items":[{"apiVersion":"resource.k8s.io/v1beta1","kind":
    "DeviceClass","metadata":{"name":"d"}}]}`,
  'a key twice': `{"kind":"List","items":[{"kind":"Pod","é":1,"kind":"Pod"}]}`,
  'brackets in strings': `{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"]}[{\\\\"}}]}`,
};

for (const [name, text] of Object.entries(LISTS)) {
  test(`a List with ${name}`, () => {
    assert.ok(jsonList(bytesOf(text)));
    assert.deepEqual(read(bytesOf(text)), read(text));
  });
}

/** Lists of several groups of items. @param {(pods: string[]) => string} textOf */
const large = (textOf) => textOf(Array.from({ length: 900 }, (_, index) => largePod(`p${index}`)));

/** @param {string} name @param {string} [more] members of the spec */
function largePod(name, more = '') {
  const note = 'x'.repeat(1500);
  const metadata = `{"annotations":{"note":"${note},{\\"apiVersion\\""},"name":"${name}"}`;
  const spec = `{"containers":[{"name":"c"}]${more}}`;
  return `{"apiVersion":"v1","kind":"Pod","metadata":${metadata},"spec":${spec}}`;
}

const listOf = (/** @type {string[]} */ items) => `{"items":[${items}],"kind":"List"}`;

/** @type {Record<string, (pods: string[]) => string>} */
const LARGE = {
  'on one line': listOf,
  'indented, and members after them': (pods) =>
    `{\n "items": [\n  ${pods.join(',\n  ')}\n ],\n "kind": "List",\n "a": [{"b": [1]}]\n}`,
  'separated differently': (pods) => `{"items":[${pods.join(' , ')}],"kind":"List"}`,
  'with letters of several bytes': (pods) =>
    listOf(pods.map((pod) => pod.replace('xx', 'ü","é":"'))),
  'with keys twice': (pods) =>
    listOf(pods.map((pod) => pod.replace('}]}', '}],"containers":[{"name":"d"}]}'))),
  'with others like them inside': (pods) =>
    listOf(pods.map((pod) => pod.replace('"spec":{', `"spec":{"a":[${pod},${pod}],`))),
  'without a kind, which comes after them': (pods) =>
    listOf(pods.map((pod) => pod.replace('"kind":"Pod",', ''))).replace('"List"', '"PodList"'),
  'of which one is larger than a group': (pods) =>
    listOf(pods.toSpliced(400, 0, largePod('l', `,"a":[${pods}]`))),
  'of which one is none': (pods) => listOf(pods.toSpliced(700, 1, 'null')),
};

for (const [name, textOf] of Object.entries(LARGE)) {
  test(`a List of many items ${name}`, () => {
    const text = large(textOf);
    assert.ok(text.length > 1 << 20);
    const { items = [], list = () => {} } = jsonList(bytesOf(text)) ?? {};
    assert.deepEqual({ ...list(), items: [...items] }, JSON.parse(text));
    assert.deepEqual(read(bytesOf(text)), read(text));
  });
}

/** @type {Record<string, (pods: string[]) => string>} */
const BROKEN = {
  'a broken item': (pods) => listOf(pods.toSpliced(800, 1, '{"kind" 1}')),
  'a comma too many': (pods) => listOf(pods.toSpliced(500, 1, '')),
  'an item that ends twice': (pods) => listOf(pods.toSpliced(500, 1, `${pods[500]}}`)),
  'no end': (pods) => `{"kind":"List","items":[${pods}`,
  'another end': (pods) => `{"kind":"List","items":[${pods}}`,
};

for (const [name, textOf] of Object.entries(BROKEN)) {
  test(`many items with ${name} are read as text`, () => {
    const text = large(textOf);
    const inBytes = read(bytesOf(text));
    assert.deepEqual(inBytes, read(text));
    assert.deepEqual(
      inBytes.calls.map((/** @type {any} */ [, error]) => error.code),
      ['MalformedJson'],
    );
  });
}

const OTHERS = {
  'an object': POD,
  'an object with items': `{"kind":"Menu","items":[${POD}]}`,
  'an array': `[${POD}]`,
  YAML: 'kind: Pod\nmetadata: {name: a}\n',
  nothing: '',
  'two documents': `{"kind":"List","items":[${POD}]}\n${POD}`,
  'items twice': `{"kind":"List","items":[${POD}],"items":[]}`,
  'a comma too many': `{"kind":"List","items":[${POD},]}`,
  'a broken item': `{"kind":"List","items":[${POD},{"kind" 1}]}`,
  'no end': `{"kind":"List","items":[${POD}`,
};

for (const [name, text] of Object.entries(OTHERS)) {
  test(`bytes with ${name} are read as text`, () => {
    assert.deepEqual(read(bytesOf(text)), read(text));
  });
}

test('bytes that are neither a List nor text are an error', () => {
  const bytes = new Uint8Array([...bytesOf('{"kind":"List","items":[{"kind":"'), 0xff, 0x22]);
  assert.deepEqual(
    read(bytes).calls.map((/** @type {any} */ [, error]) => error.code),
    ['MalformedJson'],
  );
});

test('of an object in bytes only what is asked for is kept, with its position', () => {
  const reduced = (/** @type {any} */ { kind }) => ({ kind });
  const [pod] = parseInput(bytesOf(LISTS['one item']), { reduced });
  assert.deepEqual(pod, { kind: 'Pod' });
  assert.deepEqual(positionOf(pod), { document: 1, line: 1, column: 25 });
});
