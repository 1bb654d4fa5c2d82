/**
 * Prints the node of each pending pod, or the reasons why it has none. Usage: `node script.js
 * CLUSTER.json`, with the output of the kubectl command in README.md.
 */
import { readFile } from 'node:fs/promises';
import { createScheduler, whyNot } from 'stowage';

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: node script.js CLUSTER.json');

const scheduler = await createScheduler({ startTime: new Date() });
scheduler.apply(await readFile(file), {
  // `onError` also receives kinds that no scheduler reads; they do no harm.
  onError: ({ code, message }) => code === 'UnknownKind' || console.error(message),
});

const decisions = new Map();
for (const decision of await scheduler.schedule()) decisions.set(decision.pod, decision);
for (const { pod, node, message } of decisions.values()) {
  console.log(`${pod}: ${node ?? message}`);
  if (node !== null) continue;
  const evaluation = scheduler.evaluate(pod, { detail: 'table' });
  for (const name of evaluation.table?.nodes ?? []) console.log(`  ${whyNot(evaluation, name)}`);
}
scheduler.dispose();
