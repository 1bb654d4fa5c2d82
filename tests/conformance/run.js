#!/usr/bin/env node
/**
 * Runs golden decision files, replays and traces against the engine, natively and as WASM, with its
 * verdict cache in every mode. The exit code is 0 only if something ran and all of it agreed with
 * the recording.
 */
import { pathToFileURL, fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { loadTarget as loadBuiltTarget, NotBuiltError, TARGETS } from '../support/targets.js';
import { collectCases, RequestError } from './collect.js';
import { playDecisions } from './decisions.js';
import { casesOfRelease, recordedRelease } from './releases.js';
import { playReplay } from './replays.js';
import { countScenarios, failureOf, passed, tableOf } from './report.js';
import { playTrace } from './traces.js';
import { nameOfWay, playInWays, waysOf } from './ways.js';

export const GOLDEN = fileURLToPath(new URL('golden/', import.meta.url));
export const GOLDEN_DATA = fileURLToPath(new URL('golden/data/', import.meta.url));

const HELP = `Usage: npm run conformance -- [OPTION]... [PATH]...

Runs golden decision files and traces (*.json), packs of them (*.ndjson, one file per line) and
replays (openb-LIST.MODE.ndjson), plain or .gz; directories are searched. Without PATH: the set in
the repository, of an older release with its own recordings.

  --target native|wasm|both   which build of the engine (default wasm)
  --family NAME               only this family, may be repeated (replays are the family openb,
                              those of the traces are traces/NAME, and traces means all of them)
  --data DIR                  where the replays' CSV files are (default: those in the repository)
  --tie-break name|heap       name: the node must be the recorded one; heap: one of the best
                              (decision files only, default name)
  --detail nodes|summary      nodes: compare every verdict and score; summary: let the engine decide
                              as it does at speed, and compare what such a record says
  --kubernetes-version MINOR  the release to play, such as 1.34 (not of traces; default that of the
                              file, or 1.36)
  --cache MODE                the verdict cache: off, firstUse, secondUse, tiny, refill, or all of
                              them, the default; in summary alone, as node by node it is not asked
  --help                      this text

Exit code: 0 all passed, 1 something failed or nothing ran, 2 wrong usage.`;

/** @typedef {import('./ways.js').Way} Way */

/**
 * @typedef {object} RunOptions
 * @property {string} data
 * @property {'heap' | 'name'} tieBreak
 * @property {string} [kubernetesVersion]
 * @property {'nodes' | 'summary'} [detail]  default `nodes`
 */

/**
 * Plays every case in every way.
 * @param {Way[]} ways
 * @param {import('./collect.js').Case[]} cases
 * @param {RunOptions} options
 * @returns {import('./report.js').Result[]}
 */
export function runCases(ways, cases, options) {
  return cases.flatMap((one) => {
    const { name, family, source } = one;
    // A replay's output with details of each node is too large to be kept.
    const isKept = options.detail === 'summary' || !one.lines;
    const groups = isKept ? [ways] : ways.map((way) => [way]);
    const outcomes = groups.flatMap((group) =>
      playInWays(group, ({ engine, verdictCache, behaviour }) =>
        play(engine, one, { ...options, verdictCache, behaviour }),
      ),
    );
    return ways.map(({ target, verdictCache }, at) => {
      return { name, family, source, target, verdictCache, outcome: outcomes[at] };
    });
  });
}

/**
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {import('./collect.js').Case} one
 * @param {RunOptions & Pick<Way, 'verdictCache' | 'behaviour'>} options
 * @returns {import('./decisions.js').Outcome}
 */
function play(engine, { name, attempts, decisions, lines, trace, fault }, options) {
  try {
    if (fault) throw fault;
    if (decisions) return playDecisions(engine, decisions, options);
    if (trace) return playTrace(engine, trace, options);
    return playReplay(engine, { ...options, name, lines: lines ?? [] });
  } catch (error) {
    const { name: kind, message } = /** @type {Error} */ (error);
    const finding = { where: kind, path: 'run', expected: 'a decision', actual: message };
    return { attempts, agreed: 0, finding };
  }
}

/**
 * @param {string[]} argv
 * @param {{write?: (text: string) => void, loadTarget?: typeof loadBuiltTarget}} [world]
 * @returns {Promise<number>} the exit code
 */
export async function main(argv, { write = console.log, loadTarget = loadBuiltTarget } = {}) {
  let request;
  try {
    request = parseRequest(argv);
  } catch (error) {
    write(`${/** @type {Error} */ (error).message}\n\n${HELP}`);
    return 2;
  }
  if (request.help) {
    write(HELP);
    return 0;
  }
  try {
    const cases = casesOf(request);
    const built = [];
    for (const target of request.targets) built.push({ target, engine: await loadTarget(target) });
    const ways = waysOf(built, request.modes);
    const results = runCases(ways, cases, request);
    for (const { target, engine, verdictCache } of ways) {
      const ran = results.filter(
        (one) => one.target === target && one.verdictCache === verdictCache,
      );
      const kubernetes = engine.abi.kubernetes ?? 'kubernetes unknown';
      write(`${nameOfWay({ target, verdictCache })}, ${kubernetes}\n${tableOf(ran)}\n`);
    }
    for (const result of results.filter((one) => !passed(one))) write(failureOf(result));
    const count = countScenarios(results);
    write(`${count.passed} passed, ${count.failed} failed`);
    return count.failed === 0 && count.passed > 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof NotBuiltError)) throw error;
    write(error.message);
    write('0 passed, 0 failed');
    return 1;
  }
}

/** @param {ReturnType<typeof parseRequest>} request */
function casesOf(request) {
  const { paths, kubernetesVersion } = request;
  const release = recordedRelease(kubernetesVersion);
  if (paths.length === 0 && release) return casesOfRelease(release, request);
  return collectCases(paths.length > 0 ? paths : [GOLDEN], request);
}

/** @param {string[]} argv */
function parseRequest(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      target: { type: 'string', default: 'wasm' },
      family: { type: 'string', multiple: true, default: [] },
      data: { type: 'string', default: GOLDEN_DATA },
      'tie-break': { type: 'string', default: 'name' },
      detail: { type: 'string' },
      cache: { type: 'string' },
      'kubernetes-version': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const targets = TARGETS.filter((name) => values.target === name || values.target === 'both');
  if (targets.length === 0) throw new Error(`--target ${values.target}: native, wasm or both`);
  const tieBreak = values['tie-break'];
  if (tieBreak !== 'name' && tieBreak !== 'heap') {
    throw new Error(`--tie-break ${tieBreak}: name or heap`);
  }
  const { cache, detail = cache ? 'summary' : 'nodes' } = values;
  if (detail !== 'nodes' && detail !== 'summary') {
    throw new Error(`--detail ${detail}: nodes or summary`);
  }
  if (cache && detail === 'nodes') throw new Error(`--cache ${cache}: with --detail summary alone`);
  return {
    help: values.help,
    detail: /** @type {'nodes' | 'summary'} */ (detail),
    targets,
    kubernetesVersion: values['kubernetes-version'],
    modes: detail === 'nodes' ? [] : modesOf(cache ?? 'all'),
    families: values.family,
    data: values.data,
    tieBreak: /** @type {'heap' | 'name'} */ (tieBreak),
    paths: positionals,
  };
}

/** @param {string} cache */
function modesOf(cache) {
  const modes = VERDICT_CACHE_MODES.filter((mode) => cache === mode || cache === 'all');
  if (modes.length > 0) return modes;
  throw new Error(`--cache ${cache}: ${VERDICT_CACHE_MODES.join(', ')} or all`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}
