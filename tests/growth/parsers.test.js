// Goal: no text of a client costs a parser more than n log n. Method: the most harmful repetitions,
// in doubling sizes, through every parser in JavaScript.
import { test } from 'node:test';

import { parseContinue } from '../../js/apiserver/continue_token.js';
import { parseIndexes } from '../../js/src/kubernetes/workloads/job_indexes.js';
import { parseCron } from '../../js/apiserver/cron/cron_fields.js';
import {
  acceptsAggregatedDiscovery,
  BODY_TYPES,
  bodyType,
  viewAccepted,
} from '../../js/apiserver/negotiation.js';
import { decodeProtobuf } from '../../js/apiserver/schema/protobuf.js';
import { shapeOf } from '../../js/apiserver/schema/types.js';
import { parseSingle } from '../../js/src/documents/documents.js';
import { endOfInitialEvents, linePieces } from '../../js/src/informer/watch_lines.js';
import { LineCutter } from '../../js/src/io/byte_lines.js';
import { parsedJson } from '../../js/src/io/json_scan.js';
import { listPieces } from '../../js/src/io/list_pieces.js';
import { parseDuration } from '../../js/src/kubernetes/duration.js';
import { parseFieldSelector } from '../../js/src/kubernetes/field_selector.js';
import { parseLabelSelector } from '../../js/src/kubernetes/label_selector.js';
import { parseQuantity } from '../../js/src/kubernetes/quantity.js';
import { parse } from '../../js/src/manifests/parse.js';
import { assertGrowsLittle } from './growth.js';

const SIZE = 64_000;
const bytesOf = (/** @type {string} */ text) => new TextEncoder().encode(text);
const PODS = { group: '', plural: 'pods', qualified: 'pods' };

/** Texts whose end differs from their beginning. */
const NUMBERS = ['9', '0', '1.', '.0', '-', '1e9', 'Ki', ' '];

/** @type {Record<string, { parse: (text: any) => unknown, pieces: string[], size?: number }>} */
const TEXTS = {
  quantities: { parse: parseQuantity, pieces: NUMBERS },
  durations: {
    parse: (text) => parseDuration(text, 'timeout'),
    pieces: [...NUMBERS, '1h', '1.5s', '1µs'],
  },
  'label selectors': {
    parse: parseLabelSelector,
    pieces: ['a=b,', 'a in (b,', 'b,', '(', ' ', '!', 'a,', '=', 'a in (b),', '=='],
  },
  'field selectors': {
    parse: (text) => parseFieldSelector(/** @type {any} */ (PODS), text),
    pieces: ['metadata.name=a,', '\\', '=', ',', '\\,', ' '],
  },
  'indexes of a Job': {
    parse: (text) => parseIndexes(text, 1_000_000),
    pieces: ['1,', '1-3,', '-', ',', '9'],
  },
  schedules: { parse: parseCron, pieces: ['*/2,', '1,', '*', ' ', '0 ', '1-5/2,', '9'] },
  'continue tokens': { parse: parseContinue, pieces: ['A', '=', 'e30', ' '] },
  'Accept headers': {
    parse: (text) => [acceptsAggregatedDiscovery(text), viewAccepted(text)],
    pieces: ['a/b,', 'application/json;as=Table,', ';a=b', ' ', ','],
  },
  'content types': { parse: (text) => bodyType(text, BODY_TYPES), pieces: [';', ' ', 'a/b'] },
  'manifests in YAML': {
    size: 8_000,
    parse: (text) => parse(text, { onError() {} }),
    pieces: ['---\na: 1\n', '---\n- {\n', 'a: 1\n', '- ', '[', '{"a":', '# a\n', '\t\n', '? ', '"'],
  },
  configurations: {
    size: 8_000,
    parse: parseSingle,
    pieces: ['a', ' ', '&a ', '*a ', '!!a ', '- 1\n', '%A\n'],
  },
  'manifests in JSON': {
    parse: (text) => parse(`{"kind":"List","items":[${text}]}`, { onError() {} }),
    pieces: ['{},', '1,', '"\\u00e9",', '{"kind":"Pod"},'],
  },
};

for (const [name, { parse: read, pieces, size: most = SIZE }] of Object.entries(TEXTS)) {
  for (const piece of pieces) {
    test(`${name} of many ${JSON.stringify(piece)}`, () =>
      assertGrowsLittle((size) => {
        const text = piece.repeat(size);
        return () => read(`${text}x`);
      }, most));
  }
}

/** Lines that differ, and how many. @type {Record<string, [number, (at: number) => string]>} */
const LINES = {
  keys: [12_000, (at) => `k${at}: 1\n`],
  'keys of a mapping in braces': [12_000, (at) => (at ? `k${at}: 1,\n` : '{')],
  'anchors, each with its alias': [3_000, (at) => `k${at}: &a${at} {k: 1}\nl${at}: *a${at}\n`],
  'aliases of one anchor': [3_000, (at) => (at ? `k${at}: *a\n` : 'a: &a {k: 1}\n')],
  'merges of one mapping': [3_000, (at) => (at ? `k${at}: {<<: *a}\n` : 'a: &a {k: 1}\n')],
  'aliases in anchored lists': [3_000, (at) => (at ? `k${at}: &a${at} [*a]\n` : 'a: &a {}\n')],
};

for (const [name, [most, line]] of Object.entries(LINES))
  for (const [what, read] of Object.entries({ manifests: parse, configurations: parseSingle }))
    test(`${what} of many ${name}`, () =>
      assertGrowsLittle((size) => {
        const text = Array.from({ length: size }, (_, at) => line(at)).join('');
        const whole = text.startsWith('{') ? `# YAML\n${text}}` : text;
        return () => read(whole, { onError() {} });
      }, most));

const EVENT = '{"type":"ADDED","object":{"kind":"Pod"}}\n';
const BOOKMARK = '{"type":"BOOKMARK","object":{"kind":"Pod"}}\n';

test('lists of many items, in pieces', () =>
  assertGrowsLittle((size) => {
    const list = bytesOf(`{"kind":"List","items":[${'{"kind":"Pod"},'.repeat(size)}{}]}`);
    return () => [...listPieces(list, 1_000)].map(parsedJson);
  }, SIZE));

test('watches of many lines', () =>
  assertGrowsLittle((size) => {
    const lines = bytesOf((EVENT + BOOKMARK).repeat(size));
    return () => [endOfInitialEvents(lines), ...linePieces(lines, 1_000)];
  }, SIZE));

test('one line that arrives a few bytes at a time', () =>
  assertGrowsLittle((size) => {
    const few = bytesOf('12345678');
    return () => {
      const cutter = new LineCutter();
      for (let chunk = 0; chunk < size; chunk += 1) cutter.push(few);
      return cutter.push(bytesOf('\n'));
    };
  }, SIZE));

test('lines that arrive several at once', () =>
  assertGrowsLittle((size) => {
    const few = bytesOf('1\n2\n3');
    return () => {
      const cutter = new LineCutter();
      for (let chunk = 0; chunk < size; chunk += 1) cutter.push(few);
    };
  }, SIZE));

/** @param {number} field @param {Uint8Array} content @returns {number[]} of protobuf's wire */
function message(field, content) {
  const length = [];
  let rest = content.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return [(field << 3) | 2, ...length, rest, ...content];
}

test('objects in protobuf with many items', () =>
  assertGrowsLittle((size) => {
    const pod = new Uint8Array(size * 8).fill(0);
    for (let item = 0; item < size; item += 1) pod.set([26, 0, 18, 2, 10, 0, 26, 0], item * 8);
    const type = [...message(1, bytesOf('v1')), ...message(2, bytesOf('Pod'))];
    const unknown = [...message(1, new Uint8Array(type)), ...[...pod.subarray(0, 0)]];
    const head = [0x6b, 0x38, 0x73, 0x00, ...unknown];
    const raw = [(2 << 3) | 2];
    let rest = pod.length;
    for (; rest > 127; rest >>>= 7) raw.push((rest & 127) | 128);
    raw.push(rest);
    const bytes = new Uint8Array(head.length + raw.length + pod.length);
    bytes.set([...head, ...raw]);
    bytes.set(pod, head.length + raw.length);
    return () => decodeProtobuf(bytes, shapeOf);
  }, SIZE));
