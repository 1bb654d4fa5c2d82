/** The live cluster in a runtime that answers requests: workerd. */
import { liveCluster } from './live_cluster.js';

export default {
  async fetch() {
    return Response.json(await liveCluster());
  },
};
