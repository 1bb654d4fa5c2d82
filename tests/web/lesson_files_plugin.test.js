import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lessonFilesPlugin } from '../../web/lesson_files_plugin.js';
import { lessonFiles } from '../../web/lessons/files.js';

const { resolveId, load } = /** @type {any} */ (lessonFilesPlugin());

/** @param {string} id @returns {Promise<any>} the module that replaces it */
async function importOf(id) {
  const code = load(resolveId(id)).replaceAll(/import\('([^']+)'\)/g, "'$1'");
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

test('every file of a lesson is a module of its own', async () => {
  const { FILES } = await importOf('virtual:lesson-files');
  assert.deepEqual(
    Object.keys(FILES),
    lessonFiles().map(({ name }) => name),
  );
  for (const { name, text } of lessonFiles()) {
    const { default: list } = await importOf(FILES[name]());
    assert.deepEqual(list, JSON.parse(text));
  }
});

test('the plugin ignores other modules', () => {
  assert.equal(resolveId('./worker.js'), null);
  assert.equal(load('/worker.js'), null);
});
