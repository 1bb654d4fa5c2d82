/**
 * A LiveCluster behind HTTP in a process of its own: `live_server.js NODES`. Sends its URL, and
 * then answers each message `{ count, pace }` with the result of that wave of pods.
 */
import { listen } from '../../js/src/node.js';
import { LiveCluster } from './live_cluster.js';

const cluster = new LiveCluster(Number(process.argv[2]));
const { url } = await listen(cluster.fetch, { port: 0 });
const tell = (/** @type {object} */ message) => void process.send?.(message);
process.on('message', async (/** @type {any} */ { count, pace = Infinity }) => {
  tell(await cluster.createPods(count, pace));
});
process.on('disconnect', () => process.exit());
tell({ url });
