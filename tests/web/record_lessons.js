/**
 * Records the results of lessons; the difference is to be reviewed. Usage: node
 * tests/web/record_lessons.js [LESSON...]
 */
import { writeFileSync } from 'node:fs';

import { format } from 'prettier';

import { loadEngine } from '../../js/src/index.js';
import { ARTIFACTS } from '../support/targets.js';
import { lessonNames, playLesson, readLesson, recordingOf } from './played_lesson.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });
const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : lessonNames()) {
  const { journal, played } = await playLesson(engine, await readLesson(name));
  await journal.dispose();
  const options = /** @type {const} */ ({ parser: 'json', printWidth: 100 });
  writeFileSync(recordingOf(name), await format(JSON.stringify(played), options));
  console.log(name);
}
