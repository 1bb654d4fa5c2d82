/** The worker's side: a Playground for who asks, when the engine is there. */
import { expose, proxy } from 'comlink';

import { loadEngine } from '../../../js/src/index.js';
import { withPlainErrors } from './plain_errors.js';
import { readLessonFile } from './lesson_files.js';
import { Playground } from './playground.js';

const engine = loadEngine();
// Who asks first is told.
engine.catch(() => {});

expose(async () => {
  const playground = new Playground({ engine: await engine, readFile: readLessonFile });
  return proxy(withPlainErrors(playground));
});
