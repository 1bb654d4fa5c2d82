import { printable } from '../../engine/printable.js';
import { tuneOf } from '../../whatif/tune.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { EXIT } from '../terminal/problems.js';
import { mergeTasks, runTasks } from '../shards/run.js';
import { formatTable, painter } from '../terminal/terminal.js';
import { withTasks } from './tasks.js';

/**
 * @import { Tune } from '../../whatif/tune.js'
 * @import { TuneScore } from '../../whatif/tune/score.js'
 * @import { TrialReport, TuneHead } from '../../whatif/tune/tasks.js'
 * @import { Host } from '../host.js'
 * @import { Tasks } from '../shards/run.js'
 * @import { TuneOptions } from './arguments.js'
 */

/**
 * `stowage tune`: tries configurations on a trace of pods.
 * @param {TuneOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function tune(options, host) {
  /** @type {Tasks<TrialReport, TuneHead>} */
  const tasks = {
    kind: 'Tune',
    doing: 'trying',
    module: new URL('./tasks.js', import.meta.url),
    withTasks,
    print(head, reports) {
      const answer = tuneOf(head, reports);
      host.stdout.write(formatAnswer(answer, options, host));
      return answer.isBetter ? EXIT.yes : EXIT.no;
    },
  };
  if (options.action === 'merge') return mergeTasks(tasks, options);
  return runTasks(tasks, options.choices, { options, host });
}

/**
 * @param {Tune} answer
 * @param {TuneOptions} options
 * @param {Host} host
 */
function formatAnswer(answer, options, host) {
  if (options.output === 'json') return jsonText(answer);
  if (options.output === 'yaml') return yamlText(answer);
  const { isBetter, baseline, best, trials } = answer;
  const paint = painter(options.color, host);
  const sentence = isBetter
    ? `${best.name} is better, also on the rest of the trace`
    : best.name === baseline.name
      ? 'the configuration as it is is the best'
      : `${best.name} is better on the first part of the trace only`;
  const first = `${paint(printable(sentence), isBetter ? 'green' : 'red')}\n`;
  if (options.quiet) return first;
  const compared = best.name === baseline.name ? [baseline] : [best, baseline];
  const held = compared.map((one) => [one.name, ...cellsOf(one.holdOut)]);
  const tried = trials.map(({ name, train }) => [name, ...cellsOf(train)]);
  return [
    first,
    formatTable([['ON THE REST', 'PLACED', 'PODS', 'FRAGMENTATION'], ...held], options),
    formatTable([['ON THE FIRST PART', 'PLACED', 'PODS', 'FRAGMENTATION'], ...tried], options),
  ].join('\n');
}

/** @param {TuneScore} score */
function cellsOf({ placed, pods, fragmentation }) {
  return [String(placed), String(pods), `${(100 * fragmentation).toFixed(1)} %`];
}
