/** The live cluster where scripts print: Node, Deno, Bun. */
import { liveCluster } from './live_cluster.js';

console.log(JSON.stringify(await liveCluster()));
