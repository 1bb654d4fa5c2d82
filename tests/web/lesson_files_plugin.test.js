import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lessonFilesPlugin } from '../../web/lesson_files_plugin.js';
import { lessonFiles } from '../../web/lessons/files.js';
import { packList, unpackList } from '../../web/src/worker/packed_list.js';

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
    assert.deepEqual(unpackList(list), JSON.parse(text).items);
  }
});

test('only lists with numbered names are packed', () => {
  const [first, second] = ['pod-08', 'pod-09'].map((name) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { own: name } } },
  }));
  assert.deepEqual(packList([first, second]), {
    shapes: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: '@', labels: { own: '@' } } }],
    order: '!!',
    names: { prefix: 'pod-', first: 8, digits: 2 },
  });
  assert.throws(() => packList([second, first]), /pod-08 cannot be packed as pod-10/);
  const marked = { ...first, metadata: { name: 'pod-08', annotations: { owner: 'a@b' } } };
  assert.throws(() => packList([marked]), /pod-08 cannot be packed/);
});

test('the plugin ignores other modules', () => {
  assert.equal(resolveId('./worker.js'), null);
  assert.equal(load('/worker.js'), null);
});
