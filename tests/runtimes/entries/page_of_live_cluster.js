/** The live cluster in a page; who opened it reads `report`. */
import { liveCluster } from './live_cluster.js';

/** @type {any} */ (globalThis).report = liveCluster();
