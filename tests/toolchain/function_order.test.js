// Goal: the modules hold alike functions next to each other, each function once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikeOrder, nameOfPlace } from '../../wasm/toolchain/function_order.js';
import {
  countImports,
  nameSection,
  SECTION,
  sectionsOf,
  withCustomSection,
} from '../../wasm/toolchain/wasm_sections.js';

/** Bytes that depend on the seed. @param {number} seed @param {number} size */
function code(seed, size) {
  let state = seed;
  return Uint8Array.from({ length: size }, () => (state = (state * 75 + 74) % 65_537) % 256);
}

/** @param {Uint8Array} bytes */
function changed(bytes) {
  const copy = bytes.slice();
  copy[20] ^= 1;
  return copy;
}

test('a function is followed by the one that is most like it', () => {
  const [a, b, c] = [1, 2, 3].map((seed) => code(seed, 200));
  const functions = [a, b, c, changed(b), changed(a), changed(c)];
  const order = alikeOrder(functions);
  assert.equal(order[0], 0);
  assert.equal(order[1], 4);
  const places = new Map(order.map((at, place) => [at, place]));
  for (const [one, other] of [
    [1, 3],
    [2, 5],
  ]) {
    assert.equal(Math.abs(Number(places.get(one)) - Number(places.get(other))), 1);
  }
  assert.deepEqual([...order].sort(), [0, 1, 2, 3, 4, 5]);
});

test('functions too short for a comparison, and none at all', () => {
  assert.deepEqual(alikeOrder([]), []);
  const order = alikeOrder([code(1, 2), code(2, 100), code(3, 0)]);
  assert.deepEqual([...order].sort(), [0, 1, 2]);
});

test('names sort like the places', () => {
  const places = [9, 10, 99, 100, 12_345];
  assert.deepEqual(places.map(nameOfPlace).sort(), places.map(nameOfPlace));
});

/** Imports a table, a memory with a maximum, a global and two functions, and defines none. */
const IMPORTS = [
  ...[1, 0x61, 1, 0x62, 1, 0x70, 1, 2, 0x80, 1],
  ...[1, 0x61, 1, 0x63, 0, 0],
  ...[1, 0x61, 1, 0x64, 2, 1, 1, 0x80, 0x80, 2],
  ...[1, 0x61, 1, 0x65, 3, 0x7f, 1],
  ...[1, 0x61, 1, 0x66, 0, 0],
];
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[2, IMPORTS.length + 1, 5, ...IMPORTS],
]);

test('imports of other kinds are not counted', async () => {
  assert.ok(WebAssembly.validate(MODULE));
  assert.equal(countImports(sectionsOf(MODULE).get(SECTION.import) ?? new Uint8Array()), 2);
});

test('a section of names of any length is one that engines accept', () => {
  const names = new Map([
    [0, 'first'],
    [1, 'x'.repeat(300)],
  ]);
  const named = withCustomSection(MODULE, 'name', nameSection(names));
  assert.ok(WebAssembly.validate(named));
  const [content] = WebAssembly.Module.customSections(new WebAssembly.Module(named), 'name');
  const text = Buffer.from(content).toString('latin1');
  assert.ok(text.endsWith(`\x01\xac\x02${'x'.repeat(300)}`));
  assert.ok(text.startsWith('\x01\xb7\x02\x02\x00\x05first'));
});
