/** Failures, each tried by itself: what it would leave pending. */
import { pause } from '../../../js/src/index.js';
import { SweepTasks } from '../../../js/src/whatif.js';

/**
 * @import { FailureReport } from '../../../js/src/whatif.js'
 * @import { Base } from './present.js'
 */

/** What is lost at once. @typedef {'nodes' | 'zones'} Domain */

/**
 * Failures that were tried. `tried`: how many so far, of `total`. `nodes`: the nodes of the latest
 * ones, each with the number of pods that its failure leaves pending. `reports`: those of the
 * latest ones that leave any.
 * @typedef {{ tried: number, total: number, nodes: [string, number][], reports: FailureReport[] }}
 *   Findings
 */

/** Other questions are answered at least this often: milliseconds. */
const PAUSE_MS = 30;
/** Findings are reported this often: drawing thousands of nodes takes a while. Milliseconds. */
const REPORT_MS = 200;

/**
 * Tries the loss of every node, or of every zone.
 * @param {Base} base
 * @param {Domain} domain
 * @param {{ onFound: (found: Findings) => unknown, signal: AbortSignal }} options
 */
export async function sweep(base, domain, { onFound, signal }) {
  const tasks = new SweepTasks(base.scheduler, { failures: `${domain}:1` }, base);
  const total = tasks.length;
  /** @type {Findings} */
  let found = { tried: 0, total, nodes: [], reports: [] };
  let paused = performance.now();
  let reported = paused;
  for (let index = 0; index < total; index += 1) {
    const report = await tasks.run(index, { signal });
    found.tried = index + 1;
    const waiting = report?.waiting ?? 0;
    for (const { nodes } of tasks.at(index).parts)
      found.nodes.push(...nodes.map((node) => /** @type {[string, number]} */ ([node, waiting])));
    if (report) found.reports.push(report);
    if (performance.now() - paused < PAUSE_MS) continue;
    await pause();
    paused = performance.now();
    const isCancelled = signal.aborted;
    if (!isCancelled && paused - reported < REPORT_MS) continue;
    onFound(found);
    found = { ...found, nodes: [], reports: [] };
    reported = paused;
    if (isCancelled) break;
  }
  tasks.dispose();
  signal.throwIfAborted();
  onFound(found);
}
