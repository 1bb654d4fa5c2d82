/**
 * Prepared watches behind HTTP in a process of its own: `watch_server.js EVENTS`. Sends its URL,
 * and begins after the first message.
 */
import { listen } from '../../js/src/node.js';
import { prepareWatches, serveWatches } from './watch_source.js';

const { fetch, go } = serveWatches(prepareWatches(Number(process.argv[2])));
const { url } = await listen(fetch, { port: 0 });
process.on('message', go);
process.on('disconnect', () => process.exit());
process.send?.({ url });
