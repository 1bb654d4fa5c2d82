import { ReplayError } from '../../kubernetes/errors.js';
import { jsonText } from '../terminal/documents.js';
import { shown } from '../input/inputs.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { readRecording } from '../input/recording.js';
import { say } from '../terminal/terminal.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { ReplayCommand } from './arguments.js'
 * @import { Host } from '../host.js'
 */

/**
 * `stowage replay`: repeats the inputs of a log and compares the decisions.
 * @param {ReplayCommand} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function replay(options, host) {
  const { file, until, kubernetesVersion, inspect, hash, quiet } = options;
  const log = readRecording(file, host);
  const engine = await host.loadEngine();
  const counts = { decisions: 0, bound: 0 };
  /** @type {Scheduler | undefined} */
  let scheduler;
  try {
    scheduler = await engine.replay(log, {
      until,
      kubernetesVersion,
      onRecord(record) {
        if (record.kind === 'Decision') counts.decisions += 1;
        if (record.kind === 'BindingResult' && record.result === 'bound') counts.bound += 1;
      },
    });
    if (hash) host.stdout.write(`${scheduler.hash}\n`);
    if (inspect) host.stdout.write(jsonText(scheduler.inspect()));
    const { decisions, bound } = counts;
    if (!quiet) host.stderr.write(`equal: ${decisions} decisions, ${bound} pods bound\n`);
    return EXIT.yes;
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    if (error.code !== 'Diverged') throw new BadInputError([`${shown(file)}: ${error.message}`]);
    say(host.stderr, `${shown(file)}: ${error.message}`);
    return EXIT.no;
  } finally {
    scheduler?.dispose();
  }
}
