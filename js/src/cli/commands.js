/** The commands: manual, arguments and function of each. */
import { capacity } from './capacity/capacity.js';
import { CAPACITY, parseCapacityArguments } from './capacity/arguments.js';
import { check } from './check/check.js';
import { CHECK, parseCheckArguments } from './check/arguments.js';
import { completion } from './completion/completion.js';
import { COMPLETION, parseCompletionArguments } from './completion/arguments.js';
import { diff } from './diff/diff.js';
import { DIFF, parseDiffArguments } from './diff/arguments.js';
import { drain } from './drain/drain.js';
import { DRAIN, parseDrainArguments } from './drain/arguments.js';
import { explain } from './explain/explain.js';
import { EXPLAIN, parseExplainArguments } from './explain/arguments.js';
import { fix } from './fix/fix.js';
import { FIX, parseFixArguments } from './fix/arguments.js';
import { plan } from './plan/plan.js';
import { parsePlanArguments, PLAN } from './plan/arguments.js';
import { repack } from './repack/repack.js';
import { parseRepackArguments, REPACK } from './repack/arguments.js';
import { replay } from './replay/replay.js';
import { parseReplayArguments, REPLAY } from './replay/arguments.js';
import { run } from './run/run.js';
import { parseRunArguments, RUN } from './run/arguments.js';
import { simulate } from './simulate/simulate.js';
import { parseArguments, SIMULATE } from './simulate/arguments.js';
import { snapshot } from './snapshot/snapshot.js';
import { parseSnapshotArguments, SNAPSHOT } from './snapshot/arguments.js';
import { sweep } from './sweep/sweep.js';
import { parseSweepArguments, SWEEP } from './sweep/arguments.js';
import { tune } from './tune/tune.js';
import { parseTuneArguments, TUNE } from './tune/arguments.js';
import { up } from './up/up.js';
import { parseUpArguments, UP } from './up/arguments.js';
import { parseVersionArguments, version, VERSION } from './version.js';
import { whatif } from './whatif/whatif.js';
import { parseWhatIfArguments, WHATIF } from './whatif/arguments.js';
import { say } from './terminal/terminal.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Host } from './host.js'
 * @import { Manual } from './arguments/manual.js'
 */

/**
 * @typedef {object} Command
 * @property {Manual} manual
 * @property {(argv: string[], host: Host) => Promise<number> | null} run starts it with the
 *   arguments after its name; null if its manual is requested
 */

/** In the order of `--help`. @type {readonly Command[]} */
export const COMMANDS = [
  command(SIMULATE, parseArguments, simulate),
  command(EXPLAIN, parseExplainArguments, explain),
  command(CHECK, parseCheckArguments, check),
  command(CAPACITY, parseCapacityArguments, capacity),
  command(FIX, parseFixArguments, fix),
  command(SWEEP, parseSweepArguments, sweep),
  command(WHATIF, parseWhatIfArguments, whatif),
  command(DRAIN, parseDrainArguments, drain),
  command(PLAN, parsePlanArguments, plan),
  command(REPACK, parseRepackArguments, repack),
  command(TUNE, parseTuneArguments, tune),
  command(DIFF, parseDiffArguments, diff),
  command(SNAPSHOT, parseSnapshotArguments, snapshot),
  command(REPLAY, parseReplayArguments, replay),
  command(RUN, parseRunArguments, run),
  command(UP, parseUpArguments, up),
  command(COMPLETION, parseCompletionArguments, (options, host) =>
    completion(
      options,
      COMMANDS.map(({ manual }) => manual),
      host,
    ),
  ),
  command(VERSION, parseVersionArguments, version),
];

/**
 * @template {{ help: boolean }} Options
 * @param {Manual} manual
 * @param {(argv: string[]) => Options} parse
 * @param {(options: Options, host: Host) => Promise<number>} perform
 * @returns {Command}
 */
function command(manual, parse, perform) {
  return {
    manual,
    run(argv, host) {
      const options = parse(argv);
      return options.help ? null : withProofNote(options, host, perform);
    },
  };
}

/**
 * Performs a command. If recordings of the release do not prove all of its decisions, says so to
 * people; documents and records have `notProved`.
 * @template {object} Options
 * @param {Options & { quiet?: boolean }} options
 * @param {Host} host
 * @param {(options: Options, host: Host) => Promise<number>} perform
 * @returns {Promise<number>} the exit code
 */
async function withProofNote(options, host, perform) {
  /** @type {Set<Engine>} */
  const engines = new Set();
  const loadEngine = async () => {
    const engine = await host.loadEngine();
    if (!engines.has(engine)) engine.takeNotProved();
    engines.add(engine);
    return engine;
  };
  const code = await perform(options, { ...host, loadEngine });
  const plugins = [...new Set([...engines].flatMap((engine) => engine.takeNotProved()))];
  if (plugins.length > 0 && !options.quiet) say(host.stderr, noteOn(plugins));
  return code;
}

/** @param {string[]} plugins */
function noteOn(plugins) {
  const names = plugins.join(', ');
  return `note: ${names} mattered here, which no recordings of this release prove`;
}
