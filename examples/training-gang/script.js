/** Prints why a training of 16 pods does not start, and what would. Usage: `node script.js`. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createScheduler } from 'stowage';
import { expand, parse } from 'stowage/manifests';
import { evaluateAll } from 'stowage/whatif';

const FILES = ['rack-a', 'rack-b', 'classes', 'notebook', 'pod-group'];

/** The gates of gangs and of their racks. */
export const FEATURE_GATES = {
  GenericWorkload: true,
  GangScheduling: true,
  TopologyAwareWorkloadScheduling: true,
};

/**
 * Lets the scheduler decide about the manifests beside this file, and asks why.
 *
 * @param {import('stowage').Scheduler} scheduler with the feature gates
 * @returns {Promise<string[]>} lines
 */
export async function startTraining(scheduler) {
  for (const file of FILES) {
    const text = await readFile(new URL(`${file}.yaml`, import.meta.url), 'utf8');
    const objects = parse(text);
    scheduler.apply(objects.filter(({ kind }) => kind !== 'Job'));
    scheduler.apply(objects.filter(({ kind }) => kind === 'Job').flatMap((job) => expand(job)));
  }
  await scheduler.schedule();
  const bound = scheduler.list('Pod').filter(({ spec }) => spec.nodeName);
  const { message, blocker, largestMinCount, topology } = await evaluateAll(scheduler, {
    podGroup: 'default/training',
  });
  return [
    `bound: ${bound.map(({ metadata }) => metadata.name).join(', ')}`,
    `training: ${message}`,
    `blocked by ${blocker?.pod}; the largest minCount that would start now: ${largestMinCount}`,
    ...(topology?.domains ?? []).map(({ domain, pods }) => `rack ${domain} takes ${pods} of 16`),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scheduler = await createScheduler({ featureGates: FEATURE_GATES });
  for (const line of await startTraining(scheduler)) console.log(line);
  scheduler.dispose();
}
