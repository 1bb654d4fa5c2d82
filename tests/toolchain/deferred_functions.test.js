// Goal: a function is deferred only if no cluster without devices, pod groups, extenders and
// plugins can call it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deferredFunctions } from '../../wasm/toolchain/deferred_functions.js';

/** Name, folders, the functions that it calls, and how often the table has it. */
const FUNCTIONS = /** @type {const} */ ([
  ['main', ['core/scheduler'], [1, 2, 4, 6, 9], 0],
  ['stowage::cel::Parse(int)', ['core/cel'], [3, 5, 7], 0],
  ['stowage::ResourceSlice::~ResourceSlice()', ['core/api/decode'], [], 0],
  ['stowage::Device::~Device()', ['core/api/decode'], [], 0],
  ['stowage::DynamicResources::PreFilter(int)', ['core/plugins'], [5], 1],
  ['memcmp', ['libraries'], [], 0],
  ['stowage::Fit(stowage::Device const&)', ['core/plugins'], [5], 0],
  ['stowage::Words()', ['core/base'], [], 0],
  ['std::__2::vector<stowage::Device>::clear()', ['core/dra'], [], 2],
  ['stowage::Inline()', ['core/dra', 'core/cache'], [], 0],
  ['stowage::(anonymous namespace)::Taint(int)', ['core/dra'], [], 1],
]);

test('what is deferred, and what stays', () => {
  const deferred = deferredFunctions({
    names: new Map(FUNCTIONS.map(([name], at) => [at, name])),
    folders: new Map(FUNCTIONS.map(([, folders], at) => [at, [...folders]])),
    calls: FUNCTIONS.flatMap(([, , callees], caller) =>
      callees.map((callee) => /** @type {[number, number]} */ ([caller, callee])),
    ),
    table: FUNCTIONS.flatMap(([, , , times], at) => Array(times).fill(at)),
  });
  assert.deepEqual(
    deferred.map((at) => FUNCTIONS[at][0]),
    [
      'stowage::cel::Parse(int)',
      // Another function with equal code is called as ~ResourceSlice; ~Device is not.
      'stowage::Device::~Device()',
      // Called by deferred functions alone.
      'stowage::Words()',
      'stowage::(anonymous namespace)::Taint(int)',
    ],
  );
});
