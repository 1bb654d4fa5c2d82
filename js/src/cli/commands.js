/** The commands: manual, arguments and function of each. */
import { capacity } from './capacity.js';
import { CAPACITY, parseCapacityArguments } from './capacity_arguments.js';
import { check } from './check.js';
import { CHECK, parseCheckArguments } from './check_arguments.js';
import { completion } from './completion.js';
import { COMPLETION, parseCompletionArguments } from './completion_arguments.js';
import { diff } from './diff.js';
import { DIFF, parseDiffArguments } from './diff_arguments.js';
import { drain } from './drain.js';
import { DRAIN, parseDrainArguments } from './drain_arguments.js';
import { explain } from './explain.js';
import { EXPLAIN, parseExplainArguments } from './explain_arguments.js';
import { fix } from './fix.js';
import { FIX, parseFixArguments } from './fix_arguments.js';
import { plan } from './plan.js';
import { parsePlanArguments, PLAN } from './plan_arguments.js';
import { withProofNote } from './proof_note.js';
import { repack } from './repack.js';
import { parseRepackArguments, REPACK } from './repack_arguments.js';
import { replay } from './replay.js';
import { parseReplayArguments, REPLAY } from './replay_arguments.js';
import { run } from './run.js';
import { parseRunArguments, RUN } from './run_arguments.js';
import { simulate } from './simulate.js';
import { parseArguments, SIMULATE } from './simulate_arguments.js';
import { snapshot } from './snapshot.js';
import { parseSnapshotArguments, SNAPSHOT } from './snapshot_arguments.js';
import { sweep } from './sweep.js';
import { parseSweepArguments, SWEEP } from './sweep_arguments.js';
import { tune } from './tune.js';
import { parseTuneArguments, TUNE } from './tune_arguments.js';
import { up } from './up.js';
import { parseUpArguments, UP } from './up_arguments.js';
import { parseVersionArguments, version, VERSION } from './version.js';
import { whatif } from './whatif.js';
import { parseWhatIfArguments, WHATIF } from './whatif_arguments.js';

/**
 * @import { Host } from './host.js'
 * @import { Manual } from './manual.js'
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
