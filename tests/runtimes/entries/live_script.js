/** The live cluster in runtimes that run scripts: Node, Deno, Bun. */
import { liveCluster } from './live_cluster.js';

console.log(JSON.stringify(await liveCluster()));
