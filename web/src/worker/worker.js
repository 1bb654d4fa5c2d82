/** The worker's side: a Playground for who asks, when the engine is there. */
import { expose, proxy } from 'comlink';

import { loadEngine } from '../../../js/src/index.js';
import { PluginModules } from '../world/plugin_modules.js';
import { closeNetworkDoors } from './network_doors.js';
import { withPlainErrors } from './plain_errors.js';
import { readLessonFile } from './lesson_files.js';
import { Playground } from './playground.js';

/** @import { Ask } from '../page/connection.js' */

expose(async (/** @type {WebAssembly.Module} */ wasm, /** @type {Ask} */ ask) => {
  const engine = await loadEngine({ wasm });
  const modules = new PluginModules({ ask, beforeFirst: () => closeNetworkDoors() });
  const playground = new Playground({ engine, readFile: readLessonFile, modules });
  return proxy(withPlainErrors(playground));
});
