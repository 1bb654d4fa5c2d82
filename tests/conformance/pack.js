#!/usr/bin/env node
/**
 * Packs recordings into golden/: `node tests/conformance/pack.js RECORDINGS DATA [FAMILY...]`.
 * RECORDINGS contains decisions/, replays/ and traces/, DATA the CSV files of the replays. Only the
 * named families of decisions are packed, and all traces. A family becomes one gzip'd file with a
 * scenario per line; replays and CSV files are gzip'd as they are.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { GOLDEN } from './run.js';

const [recordings, data, ...families] = process.argv.slice(2);
if (!data) throw new Error('Usage: pack.js RECORDINGS DATA [FAMILY...]');

/** @param {string} path  below golden/ @param {string | Buffer} content */
function write(path, content) {
  const file = join(GOLDEN, `${path}.gz`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, gzipSync(content, { level: 9 }));
}

/** @param {string} directory @param {string} suffix */
function filesIn(directory, suffix) {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith(suffix))
    .sort();
  return names.map((name) => ({ name, bytes: readFileSync(join(directory, name)) }));
}

/** @param {'decisions' | 'traces'} kind @param {string} family */
function pack(kind, family) {
  const scenarios = filesIn(join(recordings, kind, family), '.json');
  const lines = scenarios.map(({ bytes }) => `${JSON.stringify(JSON.parse(bytes.toString()))}\n`);
  write(`${kind}/${family}.ndjson`, lines.join(''));
}

for (const family of families) pack('decisions', family);
for (const family of readdirSync(join(recordings, 'traces'))) pack('traces', family);
for (const { name, bytes } of filesIn(join(recordings, 'replays'), '.ndjson')) {
  write(`replays/${name}`, bytes);
}
for (const { name, bytes } of filesIn(data, '.csv')) write(`data/${name}`, bytes);
