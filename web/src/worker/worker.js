/** The worker's side: it serves a Playground as soon as the engine is loaded. */
import { expose, proxy } from 'comlink';

import { loadEngine } from '../../../js/src/index.js';
import { PluginModules } from '../world/plugin_modules.js';
import { closeNetworkDoors } from './network_doors.js';
import { PluginBarrier } from './plugin_barrier.js';
import { withPlainErrors } from './plain_errors.js';
import { readLessonFile } from './lesson_files.js';
import { Playground } from './playground.js';

/** @import { Ask } from '../page/connection.js' */

/** `isFramed`: whether the page is in a frame. @typedef {{ isFramed: boolean }} PageFacts */

/**
 * @param {WebAssembly.Module} wasm
 * @param {PageFacts} page
 * @param {Ask} ask
 */
async function begin(wasm, page, ask) {
  const engine = await loadEngine({ wasm });
  const barrier = new PluginBarrier(page);
  /** @type {PluginModules} */
  const modules = new PluginModules({
    ask,
    reasonAgainst: () => barrier.reason(playground.isLive),
    beforeFirst: async () => {
      // It could not be loaded later. A failure shows when an object needs it.
      await engine.loadDeferred().catch(() => {});
      closeNetworkDoors();
    },
  });
  const playground = new Playground({ engine, readFile: readLessonFile, modules });
  return proxy(withPlainErrors(playground));
}

expose(begin);
