/**
 * Where do the pending pods go, and why do some go nowhere? `node script.js CLUSTER.json`, with
 * what kubectl printed: its command is in README.md.
 */
import { readFile } from 'node:fs/promises';
import { createScheduler, whyNot } from 'stowage';

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: node script.js CLUSTER.json');

const scheduler = await createScheduler({ startTime: new Date() });
scheduler.apply(await readFile(file), {
  // Kinds that no scheduler reads are told here as well; they are no harm.
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
