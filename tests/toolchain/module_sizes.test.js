// Goal: the table of sizes counts each function once, in the folder of its library.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizesByFolder, sizeTable } from '../../wasm/toolchain/module_sizes.js';

const section = (/** @type {number} */ id, /** @type {number[]} */ content) => [
  ...[id, content.length],
  ...content,
];
const name = (/** @type {string} */ text) => [text.length, ...Buffer.from(text)];
const code = (/** @type {number} */ size) => [size, ...Array(size).fill(0x0b)];

/** Imports one function, defines four of 3, 4, 5 and 6 bytes, and has 2 bytes of data. */
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(2, [1, ...name('env'), ...name('abort'), 0, 0]),
  ...section(10, [4, ...code(3), ...code(4), ...code(5), ...code(6)]),
  ...section(11, [7, 7]),
]);
const SYMBOLS = [
  '0:abort',
  '1:stowage::Pods(int, char const*)',
  '2:malloc',
  '3:stowage::Turn() (.resume)',
  '4:stowage::Queue::Pop()',
].join('\n');
const LIBRARIES = [
  '/clone/build/wasm/core/api/libstowage_api.a:stowage_api-0.cc.o: stowage::Pods(int,char const*)',
  'core/queue/libstowage_queue.a:stowage_queue-0.cc.o: stowage::Queue::Pop()',
  'core/queue/libstowage_queue.a:stowage_queue-0.cc.o: stowage::Turn()',
].join('\n');

test('functions count in the folder of the library that defines them, clones too', () => {
  const sizes = sizesByFolder({ module: MODULE, symbols: SYMBOLS, libraries: LIBRARIES });
  const found = sizes.map(({ folder, functions, raw }) => [folder, functions, raw]);
  assert.deepEqual(found, [
    ['core/queue', 2, 11],
    ['libraries', 1, 4],
    ['core/api', 1, 3],
    ['data', 0, 2],
  ]);
  for (const { brotli } of sizes) assert.ok(brotli > 0);
});

test('the table has a line for each folder', () => {
  const lines = sizeTable([
    { folder: 'core/api', functions: 12, raw: 34567, brotli: 8901 },
    { folder: 'data', functions: 0, raw: 5, brotli: 4 },
  ]);
  assert.equal(lines.length, 3);
  assert.match(lines[1], /^core\/api +12 +34,567 +8,901$/);
  assert.match(lines[2], /^data +0 +5 +4$/);
});
