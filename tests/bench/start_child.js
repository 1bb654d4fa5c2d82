/**
 * From the import of the package to the first decision: `start_child.js NODE POD`, objects in JSON.
 * Prints one JSON object. It imports nothing else, because V8 would compile other modules during
 * the measurement.
 */
const [node, pod] = process.argv.slice(2).map((text) => JSON.parse(text));
const begin = performance.now();
const stowage = await import('stowage');
const scheduler = await stowage.createScheduler();
const readyMs = performance.now() - begin;
scheduler.apply([node, pod]);
const [decision] = await scheduler.schedule();
const firstDecisionMs = performance.now() - begin;
if (decision?.node !== 'node-0') throw new Error(`first decision: ${JSON.stringify(decision)}`);
console.log(JSON.stringify({ readyMs, firstDecisionMs }));
