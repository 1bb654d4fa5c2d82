/** Says where the time of a row goes: V8's samples, with the names of the module's functions. */
import { Session } from 'node:inspector';
import { basename } from 'node:path';

import {
  builtModule,
  foldersByIndex,
  namesByIndex,
} from '../../wasm/toolchain/module_functions.js';
import { withSpans } from './stopwatch.js';

/** @typedef {import('node:inspector').Profiler.Profile} Profile */
/** @typedef {import('node:inspector').Profiler.ProfileNode} ProfileNode */
/** @typedef {import('./stopwatch.js').Span} Span */
/** @typedef {{ folder: string, name: string }} Place  where code is from */
/** @typedef {{ place: Place, share: number }} Share  of the samples */

const SAMPLING_US = 100;
const FUNCTIONS_SHOWN = 30;
const SHARE_MIN = 0.002;
const NAME_MAX = 90;
const CLOCK_READINGS = 100;

/** What V8 calls its own work. */
const V8_WORK = /^\((?:garbage collector|program|idle|root)\)$/;

/**
 * Runs a measurement under the profiler. Only this process and this thread are sampled.
 * @template T
 * @param {() => Promise<T>} measure
 * @returns {Promise<{ result: T, text: string }>}
 */
export async function profiled(measure) {
  const session = new Session();
  session.connect();
  const post = (/** @type {string} */ method, /** @type {object} */ params = {}) =>
    new Promise((resolve, reject) => {
      session.post(method, params, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
  try {
    await post('Profiler.enable');
    await post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
    await post('Profiler.start');
    const { result, spans } = await withSpans(measure);
    const { profile } = /** @type {{ profile: Profile }} */ (await post('Profiler.stop'));
    return { result, text: profileText(profile, spans, wasmPlaces()) };
  } finally {
    session.disconnect();
  }
}

/** The functions of the module as it was linked. @returns {(index: number) => Place} */
function wasmPlaces() {
  const { symbols, libraries } = builtModule();
  const names = namesByIndex(symbols);
  const folders = foldersByIndex({ names, libraries });
  return (index) => ({
    folder: folders.get(index)?.[0] ?? 'wasm',
    name: (names.get(index) ?? `function ${index}`).replaceAll('stowage::', ''),
  });
}

/**
 * @param {Profile} profile
 * @param {Span[]} spans the timed parts; none: everything counts
 * @param {(index: number) => Place} wasmPlace by the index of a function of the module
 * @param {number} [zero] what the profile's clock shows at the zero of the spans, in microseconds
 * @returns {string}
 */
export function profileText(profile, spans, wasmPlace, zero = clockZero()) {
  const samples = samplesIn(profile, spans, zero);
  if (samples.size === 0) return 'The profile is empty: the row took too little time.';
  const shares = sharesOf(profile.nodes, samples, wasmPlace);
  const folders = sumsOf(shares.map(({ place, share }) => [place.folder, share]));
  const what = spans.length > 0 ? 'of the timed parts' : 'of the whole row, its set-up included';
  return [
    `Share ${what}, by folder:`,
    ...folders.map(([folder, share]) => `${percent(share)}  ${folder}`),
    '',
    'By function, without the functions that it calls:',
    ...shares
      .slice(0, FUNCTIONS_SHOWN)
      .map(({ place, share }) => `${percent(share)}  ${place.folder}  ${cut(place.name)}`),
  ].join('\n');
}

/**
 * What V8's clock, in microseconds, shows at the zero of `performance.now`. Of several readings the
 * largest was interrupted least.
 */
function clockZero() {
  const readings = Array.from(
    { length: CLOCK_READINGS },
    () => Number(process.hrtime.bigint()) / 1000 - performance.now() * 1000,
  );
  return Math.max(...readings);
}

/**
 * The samples within the spans, by profile node.
 * @param {Profile} profile @param {Span[]} spans @param {number} zero see `clockZero`
 */
function samplesIn({ samples = [], timeDeltas = [], startTime }, spans, zero) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  let time = startTime;
  let span = 0;
  for (const [at, node] of samples.entries()) {
    time += timeDeltas[at];
    const now = (time - zero) / 1000;
    while (span < spans.length && spans[span].to < now) span += 1;
    if (spans.length > 0 && !(span < spans.length && spans[span].from <= now)) continue;
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
}

/**
 * @param {ProfileNode[]} nodes @param {Map<number, number>} samples by node
 * @param {(index: number) => Place} wasmPlace
 * @returns {Share[]} the largest first
 */
function sharesOf(nodes, samples, wasmPlace) {
  const all = [...samples.values()].reduce((sum, count) => sum + count, 0);
  /** @type {Map<string, Share>} */
  const shares = new Map();
  for (const { id, callFrame } of nodes) {
    const count = samples.get(id);
    if (count === undefined) continue;
    const place = placeOf(callFrame, wasmPlace);
    const key = `${place.folder} ${place.name}`;
    const known = shares.get(key) ?? { place, share: 0 };
    shares.set(key, { place, share: known.share + count / all });
  }
  return [...shares.values()].sort((a, b) => b.share - a.share);
}

/**
 * @param {ProfileNode['callFrame']} frame @param {(index: number) => Place} wasmPlace
 * @returns {Place}
 */
function placeOf({ functionName, url }, wasmPlace) {
  const [, index] = /^wasm-function\[(\d+)\]$/.exec(functionName) ?? [];
  if (index !== undefined) return wasmPlace(Number(index));
  if (V8_WORK.test(functionName)) return { folder: 'V8', name: functionName.slice(1, -1) };
  const folder = /\/(js\/src\/[\w/]+|tests\/bench)\/[^/]+$/.exec(url)?.[1] ?? 'JavaScript';
  return { folder, name: `${functionName || '(anonymous)'} ${basename(url)}`.trim() };
}

/** @param {[string, number][]} parts @returns {[string, number][]} the largest first */
function sumsOf(parts) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const [key, share] of parts) sums.set(key, (sums.get(key) ?? 0) + share);
  return [...sums].filter(([, share]) => share >= SHARE_MIN).sort((a, b) => b[1] - a[1]);
}

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)} %`.padStart(8);

/** @param {string} name */
const cut = (name) => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name);
