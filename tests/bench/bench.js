#!/usr/bin/env node
/** Measures the engine, natively and as WASM, in one run: JSON lines as it goes, then a table. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { loadEngine } from '../../js/src/index.js';
import { BROTLI_BYTES_MAX, measureSizes, READY_MS_MAX } from '../../wasm/toolchain/package_size.js';
import { GOLDEN, GOLDEN_DATA } from '../conformance/run.js';
import { alignColumns } from '../support/table.js';
import { ARTIFACTS, loadTarget as loadBuiltTarget, TARGETS } from '../support/targets.js';
import { measureAdmission } from './admission.js';
import { measureDecisions, measureOpenb, podsFor } from './decisions.js';
import { measureDecode, measureMemory, measureSoak, measureStart } from './footprint.js';
import { measureHeartbeats } from './heartbeats.js';
import { measureInformer, SOURCES } from './informer.js';
import { measureLive, WAYS } from './live.js';
import { measurePipeline } from './pipeline.js';
import { measurePlugin, PLUGINS } from './plugins.js';
import { measureTokens } from './tokens.js';
import { batchesOf, WORKLOADS } from './workloads.js';

/** @typedef {{id: string, [figure: string]: string | number}} Row */
/**
 * @typedef {object} Plan
 * @property {number[]} nodes
 * @property {number} runs           median of so many
 * @property {number} cycles         decisions per run, at most
 * @property {number} budgetSeconds  per run
 * @property {number} decodePods
 * @property {{nodes: number, beats: number}} heartbeats  of each node
 * @property {{nodes: number, pods: number}} memory
 * @property {{nodes: number, pods: number, soakPods: number}} pipeline
 * @property {number} watchEvents
 * @property {{nodes: number[], pods: number, runs: number}} live
 * @property {{nodes: number[], requests: number}} admission
 */

const SAMPLINGS = /** @type {const} */ (['all', 'default']);
const OPENB_LISTS = ['default', 'gpuspec33'];

/** @type {Plan} */
const FULL = {
  nodes: [500, 5000, 50_000],
  runs: 5,
  cycles: 4000,
  budgetSeconds: 1,
  decodePods: 20_000,
  heartbeats: { nodes: 5000, beats: 4 },
  memory: { nodes: 50_000, pods: 100_000 },
  pipeline: { nodes: 5000, pods: 30_000, soakPods: 1_000_000 },
  watchEvents: 100_000,
  live: { nodes: [1000, 5000], pods: 10_000, runs: 3 },
  admission: { nodes: [1000, 5000], requests: 2000 },
};
/** @type {Plan} */
const QUICK = {
  nodes: [500, 5000],
  runs: 1,
  cycles: 1000,
  budgetSeconds: 0.3,
  decodePods: 4000,
  heartbeats: { nodes: 5000, beats: 1 },
  memory: { nodes: 10_000, pods: 20_000 },
  pipeline: { nodes: 5000, pods: 10_000, soakPods: 100_000 },
  watchEvents: 20_000,
  live: { nodes: [1000, 5000], pods: 2000, runs: 1 },
  admission: { nodes: [1000, 5000], requests: 500 },
};

const HELP = `Usage: npm run bench -- [--quick] [--only TEXT]... [--json FILE]

  --quick       one short run instead of the median of five; 500 and 5,000 nodes
  --only TEXT   only rows with a part of the name that starts with TEXT: decisions, basic, wasm,
                basic/5000/all/wasm, openb, decode, size, start, memory, tokens,
                heartbeats, informer, live, admission; may be repeated
  --json FILE   write the JSON lines there instead of to the output`;

const HEADER = `How it is measured, as the median of all runs.
decisions  Pods wait in the queue, the engine runs 8 cycles a call: snapshot, filter, score, assume,
           simulated binding, a summary record each. Only the call is timed; p50 and p99 are over
           these slices, per decision. all: every node scored; default: the adaptive sample.
openb      Per creation one apply (the deletions before it and the pod, as JSON lines) and one turn,
           timed together, after one run that is not counted. Placements are compared with the
           recording.
decode     Pods of 1.5 KB through apply: another scheduler's (read, then left alone), and bound
           ones (into the cache).
tokens     The same pods cut into tokens by our own reader, and by nlohmann_json's lexer.
heartbeats Nodes of 8 KB through apply, of which only the conditions' times changed.
start      A new process: import of the package to a scheduler (ready), to the first decision.
memory     A new process: growth of linear memory (wasm) or of the resident set (native).
pipeline   Pods of 1.5 KB through the package's API, 100 to a read of the watch: ADDED bytes,
           decision, binding call and answer, event writes, MODIFIED bytes; all nodes scored.
soak       The same in a new process; pods go again, 30,000 are there at a time. Growth after the
           first tenth.
informer   Watches of nodes and pods, 1.7 KB an event, through informers into the engine. core: the
           engine alone; fetch: streams in this process; http: a server in another process.
live       Pods of 1.5 KB are created in an embedded API server, and a scheduler follows it, binds
           them and writes events, until all are bound there. fetch: in one process, by calls, as
           "stowage up" has it; http: the server in a process of its own; http-one-process: over
           HTTP all the same. After 1,000 pods that are not counted. p50 and p99 are from creation
           to binding, with 500 pods a second. CPU time is that of the process that has most.
admission  AdmissionReviews of 2 KB through the webhook's handler, one after the other, without a
           network; ten pods a node. Every fourth pod asks for more than a node has, and is denied.
plugins    Basic pods with a plugin in JavaScript, through the package's API.
ratio      Work done in the time of a fixed JS hash loop, timed before each run.`;

/** How many nodes plugins in JavaScript are asked about. */
const PLUGIN_NODES = 5000;

/** Workloads whose pods look at other pods. */
const COMPARING = [
  'soft-spread',
  'default-spread',
  'hard-spread',
  'preferred-pod-affinity',
  'required-pod-affinity',
  'required-pod-anti-affinity',
  'mixed',
  'preemption-storm',
];

/** The figures that must hold; `of` finds the worst one among the rows, undefined: not measured. */
const REQUIRED = [
  {
    name: 'WASM basic, all 5,000 nodes scored: decisions/s',
    want: 20_000,
    atLeast: true,
    of: (/** @type {Row[]} */ rows) =>
      figures(rows, /^decisions\/basic\/5000\/all\/wasm$/, 'perSecond'),
  },
  ...OPENB_LISTS.map((list) => ({
    name: `WASM openb ${list}, all nodes: seconds`,
    want: 0.5,
    atLeast: false,
    of: (/** @type {Row[]} */ rows) =>
      figures(rows.map(judged), new RegExp(`^openb/${list}/all/wasm$`), 'seconds'),
  })),
  ...COMPARING.map((workload) => ({
    name: `WASM ${workload}, all 5,000 nodes scored: decisions/s`,
    want: 5_000,
    atLeast: true,
    of: (/** @type {Row[]} */ rows) =>
      figures(rows, new RegExp(`^decisions/${workload}/5000/all/wasm$`), 'perSecond'),
  })),
  {
    name: 'WASM mixed, a decision among 100,000 pods by one among 10,000: median times',
    want: 1.2,
    atLeast: false,
    of: (/** @type {Row[]} */ rows) => {
      const of = (/** @type {string} */ pods) =>
        figures(rows, new RegExp(`^decisions/mixed-${pods}-pods/5000/all/wasm$`), 'p50Us');
      const [few, many] = [of('10k'), of('100k')];
      return few.length === 1 && many.length === 1 ? [many[0] / few[0]] : [];
    },
  },
  {
    name: 'WASM, the whole pipeline, 5,000 nodes: pods/s',
    want: 8_000,
    atLeast: true,
    of: (/** @type {Row[]} */ rows) => figures(rows, /^pipeline\/5000\/wasm$/, 'perSecond'),
  },
  {
    name: 'WASM live, API server in the same process, 1,000 and 5,000 nodes: pods/s',
    want: 2_000,
    atLeast: true,
    of: (/** @type {Row[]} */ rows) => figures(rows, /^live\/fetch\/\d+$/, 'perSecond'),
  },
  {
    name: 'WASM admission, 1,000 nodes: p99 ms',
    want: 5,
    atLeast: false,
    of: (/** @type {Row[]} */ rows) => figures(rows, /^admission\/1000\/wasm$/, 'p99Ms'),
  },
  {
    name: 'what an import loads, brotli: bytes',
    want: BROTLI_BYTES_MAX,
    atLeast: false,
    of: (/** @type {Row[]} */ rows) => {
      const sizes = figures(rows, /^size\//, 'brotli');
      return sizes.length === 2 ? [sizes[0] + sizes[1]] : [];
    },
  },
  {
    name: 'ready: ms',
    want: READY_MS_MAX,
    atLeast: false,
    of: (/** @type {Row[]} */ rows) => figures(rows, /^start\//, 'readyMs'),
  },
];

/** A time for other placements than the recorded ones is worth nothing. @param {Row} row */
function judged(row) {
  return row.agreed === row.placements ? row : { ...row, seconds: Infinity };
}

/** @param {Row[]} rows @param {RegExp} id @param {string} figure */
function figures(rows, id, figure) {
  return rows.filter((row) => id.test(row.id)).map((row) => Number(row[figure]));
}

/** Runs what is wanted and keeps the rows. */
class Bench {
  #plan;
  #only;
  #emit;
  #loadTarget;
  /** @type {Map<string, import('../support/raw_engine.js').RawEngine>} */
  #engines = new Map();
  /** @type {Row[]} */
  rows = [];

  /**
   * @param {object} options
   * @param {Plan} options.plan @param {string[]} options.only
   * @param {(row: Row) => void} options.emit @param {typeof loadBuiltTarget} options.loadTarget
   */
  constructor({ plan, only, emit, loadTarget }) {
    this.#plan = plan;
    this.#only = only;
    this.#emit = emit;
    this.#loadTarget = loadTarget;
  }

  async run() {
    if (this.#wants('size/wasm') || this.#wants('size/js')) await this.#sizes();
    await this.#row('start/wasm', () => measureStart(this.#plan));
    for (const kind of /** @type {const} */ (['foreign', 'bound'])) {
      for (const target of TARGETS) await this.#decode(kind, target);
    }
    for (const target of TARGETS) {
      this.#tokens(target);
      await this.#heartbeats(target);
    }
    for (const target of TARGETS) {
      const { memory } = this.#plan;
      await this.#row(`memory/${target}`, () => measureMemory({ target, ...memory }));
    }
    await this.#openb();
    for (const nodes of this.#plan.nodes) {
      for (const workload of Object.keys(WORKLOADS)) await this.#decisions(workload, nodes);
    }
    await this.#pipeline();
    await this.#live();
    await this.#admission();
    await this.#plugins();
  }

  async #pipeline() {
    const { runs, pipeline } = this.#plan;
    const { nodes, pods, soakPods } = pipeline;
    await this.#row(`pipeline/${nodes}/wasm`, async () => {
      const engine = await loadEngine({ wasm: ARTIFACTS.module });
      return measurePipeline(engine, { nodes, pods, runs });
    });
    await this.#row('soak/wasm', () => measureSoak({ nodes, pods: soakPods }));
  }

  async #live() {
    const { runs, watchEvents: events, live } = this.#plan;
    for (const source of SOURCES) {
      await this.#row(`informer/${source}`, async () => {
        const engine = await loadEngine({ wasm: ARTIFACTS.module });
        return measureInformer(engine, { source, events, runs });
      });
    }
    for (const way of WAYS) {
      for (const nodes of live.nodes) {
        await this.#row(`live/${way}/${nodes}`, () => measureLive({ ...live, way, nodes }));
      }
    }
  }

  async #admission() {
    const { runs, admission } = this.#plan;
    for (const nodes of admission.nodes) {
      await this.#row(`admission/${nodes}/wasm`, async () => {
        const engine = await loadEngine({ wasm: ARTIFACTS.module });
        return measureAdmission(engine, { ...admission, nodes, runs });
      });
    }
  }

  async #sizes() {
    for (const { kind, ...sizes } of await measureSizes()) {
      const row = { id: `size/${kind}`, ...sizes };
      this.rows.push(row);
      this.#emit(row);
    }
  }

  async #plugins() {
    const { cycles, runs } = this.#plan;
    for (const [name, plugin] of Object.entries(PLUGINS)) {
      await this.#row(`plugins/${name}/${PLUGIN_NODES}/all/wasm`, async () => {
        const engine = await loadEngine({ wasm: ARTIFACTS.module });
        return measurePlugin(engine, { plugin, nodes: PLUGIN_NODES, cycles, runs });
      });
    }
  }

  /** @param {'foreign' | 'bound'} kind @param {string} target */
  async #decode(kind, target) {
    const { decodePods: count, runs } = this.#plan;
    await this.#row(`decode/${kind}/${target}`, async () =>
      measureDecode(await this.#engine(target), { kind, count, runs }),
    );
  }

  /** @param {string} target */
  #tokens(target) {
    const ids = ['own', 'nlohmann'].map((reader) => `tokens/${reader}/${target}`);
    if (!ids.some((id) => this.#wants(id))) return;
    for (const row of measureTokens(target).filter(({ id }) => this.#wants(id))) {
      this.rows.push(row);
      this.#emit(row);
    }
  }

  /** @param {string} target */
  async #heartbeats(target) {
    const { heartbeats, runs } = this.#plan;
    await this.#row(`heartbeats/${heartbeats.nodes}/${target}`, async () =>
      measureHeartbeats(await this.#engine(target), { ...heartbeats, runs }),
    );
  }

  async #openb() {
    for (const list of OPENB_LISTS) {
      for (const sampling of SAMPLINGS) {
        const mode = sampling === 'all' ? 'all-nodes' : 'sampled';
        const recording = join(GOLDEN, 'replays', `openb-${list}.${mode}.ndjson.gz`);
        const trace = { data: GOLDEN_DATA, list, sampling, recording, runs: this.#plan.runs };
        for (const target of TARGETS) {
          await this.#row(`openb/${list}/${sampling}/${target}`, async () =>
            measureOpenb(await this.#engine(target), trace),
          );
        }
      }
    }
  }

  /** @param {string} workload @param {number} nodes */
  async #decisions(workload, nodes) {
    const ids = SAMPLINGS.flatMap((sampling) =>
      TARGETS.map((target) => ({
        sampling,
        target,
        id: `decisions/${workload}/${nodes}/${sampling}/${target}`,
      })),
    );
    if (!ids.some(({ id }) => this.#wants(id))) return;
    const { cycles, budgetSeconds, runs } = this.#plan;
    const { node, pod, existing, sizes } = WORKLOADS[workload](GOLDEN_DATA);
    if (sizes && !sizes.includes(nodes)) return;
    const pods = podsFor(cycles);
    const { count, object } = existing?.(nodes, pods) ?? { count: 0, object: node };
    const objects = {
      cluster: [...batchesOf(nodes, node), ...batchesOf(count, object)],
      pods: batchesOf(pods, pod),
    };
    for (const { id, sampling, target } of ids) {
      const load = { ...objects, cycles, budgetSeconds, sampling, runs };
      await this.#row(id, async () => measureDecisions(await this.#engine(target), load));
    }
  }

  /** @param {string} id @param {() => object | Promise<object>} measure */
  async #row(id, measure) {
    if (!this.#wants(id)) return;
    const row = /** @type {Row} */ ({ id, ...(await measure()) });
    this.rows.push(row);
    this.#emit(row);
  }

  /** @param {string} id */
  #wants(id) {
    const path = `/${id}`;
    return this.#only.length === 0 || this.#only.some((text) => path.includes(`/${text}`));
  }

  /** @param {string} target */
  async #engine(target) {
    const engine = this.#engines.get(target) ?? (await this.#loadTarget(target));
    this.#engines.set(target, engine);
    return engine;
  }
}

/** One table per kind of row, since each has its own figures. @param {Row[]} rows */
function tablesOf(rows) {
  const kinds = [...new Set(rows.map(({ id }) => id.split('/')[0]))];
  return kinds
    .map((kind) => {
      const group = rows.filter(({ id }) => id.startsWith(`${kind}/`));
      const heads = Object.keys(group[0]).filter((figure) => figure !== 'id');
      const body = group.map((row) => [row.id, ...heads.map((head) => show(row[head]))]);
      return alignColumns([[kind.toUpperCase(), ...heads], ...body]);
    })
    .join('\n\n');
}

/** What repeats from run to run has no more digits than these. @param {unknown} value */
function rounded(value) {
  const isFraction = typeof value === 'number' && !Number.isInteger(value);
  return isFraction ? Number(value.toPrecision(5)) : value;
}

/**
 * Three significant digits below a thousand, whole numbers above.
 * @param {string | number} value
 */
function show(value) {
  if (typeof value !== 'number') return value;
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 1000;
  return isWhole ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

/** @param {Row[]} rows */
function verdicts(rows) {
  const table = REQUIRED.map(({ name, want, atLeast, of }) => {
    const measured = of(rows);
    const sign = atLeast ? '≥' : '≤';
    if (measured.length === 0) return [name, `${sign} ${show(want)}`, '-', 'not measured'];
    const worst = atLeast ? Math.min(...measured) : Math.max(...measured);
    const isMet = atLeast ? worst >= want : worst <= want;
    return [name, `${sign} ${show(want)}`, show(worst), isMet ? 'pass' : 'MISS'];
  });
  const strays = rows.filter(({ agreed, placements }) => agreed !== placements);
  const wrong = strays.map(
    ({ id, agreed, placements }) =>
      `${id}: only ${agreed} of ${placements} placements agree with the recording`,
  );
  const verdict = alignColumns([['REQUIRED', 'want', 'measured', 'verdict'], ...table]);
  return [verdict, ...wrong].join('\n');
}

/**
 * @param {string[]} argv
 * @param {{write?: (text: string) => void, loadTarget?: typeof loadBuiltTarget}} [world]
 * @returns {Promise<Row[]>}
 */
export async function main(argv, { write = console.log, loadTarget = loadBuiltTarget } = {}) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    write(HELP);
    return [];
  }
  const { json } = values;
  if (json) writeFileSync(json, '');
  const emit = (/** @type {Row} */ row) => {
    const line = JSON.stringify(row, (_, value) => rounded(value));
    if (json) appendFileSync(json, `${line}\n`);
    else write(line);
  };
  const plan = values.quick ? QUICK : FULL;
  const bench = new Bench({ plan, only: values.only, emit, loadTarget });
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  write(`${HEADER}\n${machine}, ${plan.runs} runs each\n`);
  await bench.run();
  if (bench.rows.length === 0) throw new Error(`no row's name contains ${values.only.join(', ')}`);
  write(`\n${tablesOf(bench.rows)}\n\n${verdicts(bench.rows)}`);
  return bench.rows;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2));
}
