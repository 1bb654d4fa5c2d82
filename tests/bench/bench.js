#!/usr/bin/env node
/**
 * Measures the engine, natively and as WASM, in one run: prints JSON lines during the run, then a
 * table.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { loadEngine } from '../../js/src/index.js';
import { BUILD, WHOLE } from '../../wasm/toolchain/module_functions.js';
import { measureSizes } from '../../wasm/toolchain/package_size.js';
import { GOLDEN, GOLDEN_DATA } from '../conformance/run.js';
import { encodeLines } from '../support/raw_engine.js';
import { ARTIFACTS, loadTarget as loadBuiltTarget, TARGETS } from '../support/targets.js';
import { measureAdmission } from './admission.js';
import { measureFixes } from './fixes.js';
import { BaselineError, compareFigures, compareRuns, readBaseline } from './against.js';
import { measureDecisions, measureOpenb, podsFor, slicesOf } from './decisions.js';
import {
  measureDecode,
  measureLarge,
  measureMemory,
  measureSoak,
  measureStart,
} from './footprint.js';
import { measureGangs } from './gangs.js';
import { measureHeartbeats } from './heartbeats.js';
import { measureInformer, SOURCES } from './informer.js';
import { measureLive, WAYS } from './live.js';
import { measurePipeline } from './pipeline.js';
import { FULL, QUICK } from './plans.js';
import { measurePlugin, PLUGINS } from './plugins.js';
import { profiled } from './profile.js';
import { measureQuestions } from './questions.js';
import { verdictsOn } from './required.js';
import { measurePool, measureSweep, measureThreads } from './sweeps.js';
import { UPGRADES } from './upgrades.js';
import { measureTune } from './tunes.js';
import { lineOf, tablesOf } from './tables.js';
import { measureTokens } from './tokens.js';
import { measureTransactions } from './transactions.js';
import { batchesOf, WORKLOADS } from './workloads.js';

/** @typedef {import('./tables.js').Row} Row */
/** @typedef {import('./plans.js').Plan} Plan */

const SAMPLINGS = /** @type {const} */ (['all', 'default']);
const OPENB_LISTS = ['default', 'gpuspec33'];

const HELP = `Usage: npm run bench -- [--quick] [--only TEXT]... [--json FILE] [--against FILE]
       npm run bench -- [--quick] --profile ROW

  --quick       one short run instead of the median of five; 500 and 5,000 nodes
  --only TEXT   only rows with a part of the name that starts with TEXT: decisions, basic, wasm,
                basic/5000/all/wasm, openb, decode, size, start, memory, large, informer, live,
                admission, evaluate-summary, evaluate-table, gangs, sweep, fix, tune, upgrade; may
                be repeated
  --json FILE   write the JSON lines there instead of to the output
  --against FILE  a stored run: compare with the JSON lines there, row by row
  --profile ROW  only this row of WebAssembly, and where its time goes, by folder and function.
                It is measured twice, the second time under V8's profiler, in this thread

Exit code: 1 when a row is 1.5 times worse than the stored run says, 2 when that cannot be read.`;

const HEADER = `How it is measured, as the median of all runs.
decisions  Pods wait in the queue, the engine runs 8 cycles a call: snapshot, filter, score, assume,
           simulated binding, a summary record each. Only the call is timed; p50 and p99 are over
           these slices, per decision. all: every node scored; default: the adaptive sample.
           node-churn: between two slices a node goes and another one comes, which is not timed;
           nominated: 32 nodes keep room for pods of higher priority. device-…: 8 devices a node;
           claims from a template with a CEL selector, a GPU and a network card behind one root,
           partitions with shared counters, an extended resource that devices serve.
openb      Per creation one apply (the deletions before it and the pod, as JSON lines) and one turn,
           timed together, after one run that is not counted. Placements are compared with the
           recording.
decode     Pods of 1.5 KB through apply: another scheduler's (read, then left alone), and bound
           ones (into the cache).
tokens     The same pods cut into tokens by our own reader, and by nlohmann_json's lexer.
heartbeats Nodes of 8 KB through apply, of which only the conditions' times changed.
start      A new process: import of the package to a scheduler (ready), to the first decision. list:
           the first apply of a new process, 1,000 nodes and 10,000 pods in a List of 45 MB as
           kubectl prints it, from bytes and from objects.
memory     A new process: growth of linear memory (wasm) or of the resident set (native), by so many
           nodes and bound pods of 1.5 KB.
large      A new process with so many nodes and basic pods: linear memory, decisions as in the rows
           of that name, and a transaction that removes a node, schedules its pods again and is
           reverted (failureMs).
evaluate-summary  Questions about pods of eight workloads, each the first of its signature, answered
           with the result: from the object to the parsed answer, one after the other.
evaluate-table  The same for basic pods, answered with the table of all nodes.
transactions  A transaction that removes a node with 30 pods, schedules them again and is reverted;
           the time of a fork, and what each of many live forks takes of the module's memory.
gangs      Pod groups whose pods all must fit: many gangs of 8, and one of 512. ms: of all.
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
sweep      Failures, with 30 pods a node. mixed: the node is removed in a transaction, and its pods
           are scheduled again; basic: proven instead, as far as that is possible. parts: of each
           node and zone, of which a sample of nodes is run; zones: of each zone; pairs: of two
           nodes at once; threads: pairs in one thread and in all cores, machine: what these gain
           in a loop that only computes; all-pairs: in two threads. seconds: of all failures.
fix        Edits for a pod that no node takes, each tried and run: pods of all families of plugins
           with one to three obstacles, each in a cluster of its own.
tune       Configurations tried on the openb trace: the first 70 % of it, and the rest as well if
           it is better than the default. perCoreHour: by the processor's time.
upgrade    upgradeDiff from v1.34 to v1.36, of 1,000 controllers on nodes of several shapes, from
           objects to the answer; upgrade-command: stowage diff, from a dump of one line.
           cpuSeconds: the processor's time, garbage collection included.
plugins    Basic pods with a plugin in JavaScript, through the package's API.
ratio      Work done in the time of a fixed JS hash loop, timed before each run.
ofNative   Of the speed of the native engine in the same run.`;

/** The numbers of nodes that are passed to plugins in JavaScript. */
const PLUGIN_NODES = 5000;

/** Runs the selected rows and stores their figures. */
class Bench {
  #plan;
  #only;
  #emit;
  #loadTarget;
  #module;
  /** @type {Map<string, import('../support/raw_engine.js').RawEngine>} */
  #engines = new Map();
  /** @type {Row[]} */
  rows = [];

  /**
   * @param {object} options
   * @param {Plan} options.plan @param {string[]} options.only
   * @param {(row: Row) => void} options.emit @param {typeof loadBuiltTarget} options.loadTarget
   * @param {string} options.module the file of the WebAssembly module
   */
  constructor({ plan, only, emit, loadTarget, module }) {
    this.#plan = plan;
    this.#only = only;
    this.#emit = emit;
    this.#loadTarget = loadTarget;
    this.#module = module;
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
      const id = `memory/${memory.nodes}/${memory.pods}/${target}`;
      await this.#row(id, () => measureMemory({ target, ...memory }));
    }
    const { large } = this.#plan;
    await this.#row(`large/${large.nodes}/${large.pods}/wasm`, () => measureLarge(large));
    await this.#openb();
    for (const nodes of this.#plan.nodes) {
      for (const workload of Object.keys(WORKLOADS)) await this.#decisions(workload, nodes);
    }
    await this.#questions();
    await this.#transactions();
    await this.#gangs();
    await this.#pipeline();
    await this.#live();
    await this.#admission();
    await this.#sweeps();
    await this.#fixes();
    await this.#tunes();
    await this.#upgrades();
    await this.#plugins();
  }

  async #questions() {
    const { runs, evaluate } = this.#plan;
    for (const target of TARGETS) {
      for (const detail of /** @type {const} */ (['summary', 'table'])) {
        const load = { nodes: evaluate.nodes, questions: evaluate[detail], runs, detail };
        await this.#row(`evaluate-${detail}/${evaluate.nodes}/${target}`, async () =>
          measureQuestions(await this.#engine(target), { ...load, data: GOLDEN_DATA }),
        );
      }
    }
  }

  async #transactions() {
    const { runs, transactions } = this.#plan;
    for (const target of TARGETS) {
      await this.#row(`transactions/${transactions.nodes}/${target}`, async () =>
        measureTransactions(await this.#engine(target), { ...transactions, runs }),
      );
    }
  }

  async #gangs() {
    const { runs, gangs } = this.#plan;
    for (const [size, pods] of [
      [8, gangs.pods],
      [512, 512],
    ]) {
      for (const target of TARGETS) {
        await this.#row(`gangs/${size}/${gangs.nodes}/${target}`, async () =>
          measureGangs(await this.#engine(target), { nodes: gangs.nodes, pods, size, runs }),
        );
      }
    }
  }

  async #pipeline() {
    const { runs, pipeline } = this.#plan;
    const { nodes, pods, soakPods } = pipeline;
    await this.#row(`pipeline/${nodes}/wasm`, async () => {
      const engine = await loadEngine({ wasm: this.#module });
      return measurePipeline(engine, { nodes, pods, runs });
    });
    await this.#row('soak/wasm', () => measureSoak({ nodes, pods: soakPods }));
  }

  async #live() {
    const { runs, watchEvents: events, live } = this.#plan;
    for (const source of SOURCES) {
      await this.#row(`informer/${source}`, async () => {
        const engine = await loadEngine({ wasm: this.#module });
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
        const engine = await loadEngine({ wasm: this.#module });
        return measureAdmission(engine, { ...admission, nodes, runs });
      });
    }
  }

  async #sweeps() {
    const { threads, allPairs, ...most } = this.#plan.sweep;
    for (const [workload, tasks] of Object.entries(most)) {
      for (const [kind, load] of Object.entries({
        parts: { nodes: 5000, pods: 150_000, failures: 'nodes:1,zones:1', tasks },
        zones: { nodes: 5000, pods: 150_000, failures: 'zones:1', tasks },
        pairs: { nodes: 1000, pods: 30_000, failures: 'pairs', tasks },
      })) {
        await this.#row(`sweep/${kind}/${workload}/${load.nodes}/wasm`, async () => {
          const engine = await loadEngine({ wasm: this.#module });
          return measureSweep(engine, { workload, ...load });
        });
      }
    }
    const pairs = { workload: 'mixed', nodes: 1000, pods: 30_000, failures: 'pairs' };
    await this.#row('sweep/threads/mixed/1000/wasm', async () => {
      const engine = await loadEngine({ wasm: this.#module });
      return measureThreads(engine, { ...pairs, tasks: threads, workers: cpus().length });
    });
    await this.#row('sweep/all-pairs/mixed/1000/wasm', async () => {
      const engine = await loadEngine({ wasm: this.#module });
      return measurePool(engine, { ...pairs, tasks: allPairs, workers: 2 });
    });
  }

  async #fixes() {
    const { fix } = this.#plan;
    await this.#row(`fix/${fix.nodes}/wasm`, async () => {
      const engine = await loadEngine({ wasm: this.#module });
      return measureFixes(engine, { ...fix, runs: 1 });
    });
  }

  async #tunes() {
    await this.#row('tune/openb/wasm', async () => {
      const engine = await loadEngine({ wasm: this.#module });
      return measureTune(engine, { data: GOLDEN_DATA, list: 'default', ...this.#plan.tune });
    });
  }

  async #upgrades() {
    for (const [name, measure] of Object.entries(UPGRADES))
      await this.#row(`${name}/5000/wasm`, async () => {
        const engine = await loadEngine({ wasm: this.#module });
        return measure(engine, { nodes: 5000, pods: 150_000, from: '1.34', to: '1.36' });
      });
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
        const engine = await loadEngine({ wasm: this.#module });
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
    const { node, pod, existing, changes, sizes } = WORKLOADS[workload](GOLDEN_DATA);
    if (sizes && !sizes.includes(nodes)) return;
    const pods = podsFor(cycles);
    const { count, object } = existing?.(nodes, pods) ?? { count: 0, object: node };
    const objects = {
      cluster: [...batchesOf(nodes, node), ...batchesOf(count, object)],
      pods: batchesOf(pods, pod),
      changes:
        changes &&
        Array.from({ length: slicesOf(cycles) }, (_, at) => encodeLines(changes(at, nodes))),
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
    const native = this.rows.find((one) => one.id === id.replace(/\/wasm$/, '/native'));
    const compared = native && compareFigures(native, row);
    if (compared) row.ofNative = compared.raw;
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
    const engine = this.#engines.get(target) ?? (await this.#loadTarget(target, this.#module));
    this.#engines.set(target, engine);
    return engine;
  }
}

/**
 * @param {string[]} argv
 * @param {{write?: (text: string) => void, loadTarget?: typeof loadBuiltTarget}} [world]
 * @returns {Promise<{rows: Row[], code: number}>}  `code`: the exit code
 */
export async function main(argv, { write = console.log, loadTarget = loadBuiltTarget } = {}) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      against: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    write(HELP);
    return { rows: [], code: 0 };
  }
  const { json, against, profile } = values;
  const plan = values.quick ? QUICK : FULL;
  if (profile !== undefined) return profileRow(profile, { plan, write, loadTarget });
  /** @type {Row[] | null} read first: the run takes long, and may write the same file */
  let before;
  try {
    before = against === undefined ? null : readBaseline(against);
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error;
    write(error.message);
    return { rows: [], code: 2 };
  }
  if (json) writeFileSync(json, '');
  const emit = (/** @type {Row} */ row) => {
    if (json) appendFileSync(json, `${lineOf(row)}\n`);
    else write(lineOf(row));
  };
  const module = ARTIFACTS.module;
  const bench = new Bench({ plan, only: values.only, emit, loadTarget, module });
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  write(`${HEADER}\n${machine}, ${plan.runs} runs each\n`);
  await bench.run();
  const { rows } = bench;
  if (rows.length === 0) throw new Error(`no row's name contains ${values.only.join(', ')}`);
  write(`\n${tablesOf(rows)}\n\n${verdictsOn(rows)}`);
  const comparison = before && compareRuns(before, rows);
  if (comparison) write(`\n${comparison.text}`);
  return { rows, code: comparison && comparison.worse.length > 0 ? 1 : 0 };
}

/**
 * Measures one row under the profiler, with the module before it is split, whose functions have
 * names. A measurement before it has V8 compile what is hot, which otherwise takes most time.
 * @param {string} id the row's name, or its end
 * @param {{ plan: Plan, write: (text: string) => void, loadTarget: typeof loadBuiltTarget }} world
 */
async function profileRow(id, { plan, write, loadTarget }) {
  const module = join(BUILD, WHOLE);
  const bench = new Bench({ plan, only: [id], emit: () => {}, loadTarget, module });
  await bench.run();
  const { rows } = bench;
  if (rows.length !== 1) {
    const names = rows.map((row) => row.id).join(', ') || 'no row';
    write(`--profile takes one row's name, such as decisions/basic/5000/all/wasm: ${names}`);
    return { rows, code: 2 };
  }
  if (!rows[0].id.endsWith('/wasm')) {
    write(`--profile takes a row of WebAssembly: ${rows[0].id}`);
    return { rows, code: 2 };
  }
  bench.rows = [];
  const { text } = await profiled(() => bench.run());
  for (const row of bench.rows) write(lineOf(row));
  write(text);
  return { rows: bench.rows, code: 0 };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await main(process.argv.slice(2))).code;
}
