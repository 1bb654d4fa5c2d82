/** The live cluster where requests are answered: workerd. */
import { liveCluster } from './live_cluster.js';

export default {
  async fetch() {
    return Response.json(await liveCluster());
  },
};
