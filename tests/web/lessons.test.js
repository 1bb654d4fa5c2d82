/**
 * Goal: every lesson shows what its text says. Method: each is played to its end and compared with
 * a recording that was reviewed; going back in it and forward again leads to the same state.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadEngine } from '../../js/src/index.js';
import { lessonFiles, readLessonFile } from '../../web/lessons/files.js';
import { paragraphsOf } from '../../web/src/page/prose.js';
import { toHash } from '../../web/src/scenario/share.js';
import { ARTIFACTS } from '../support/targets.js';
import * as lessons from './played_lesson.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });
const names = lessons.lessonNames();

/** In bytes of a URL's hash. */
const HASH_BYTES_MAX = 8 << 10;

/** Repeating this many steps takes half a minute. */
const GOES_BACK_MAX = 2000;

for (const name of names) {
  test(`${name} leads to the recorded state, also after going back`, async (t) => {
    const { journal, played } = await lessons.playLesson(engine, await lessons.readLesson(name));
    t.after(() => journal.dispose());
    assert.deepEqual(played, JSON.parse(readFileSync(lessons.recordingOf(name), 'utf8')));
    const end = journal.position;
    if (end > GOES_BACK_MAX) return;
    await journal.goTo(Math.floor(end / 2));
    await journal.goTo(end);
    const { placements, hash } = played;
    assert.deepEqual(lessons.endOf(journal), { placements, hash });
  });
}

test('every lesson has a recording, and every recording a lesson', () => {
  assert.ok(names.length >= 12);
  assert.deepEqual(lessons.recordingNames(), names);
});

for (const name of names) {
  test(`${name} is short enough to be read and to be sent as a link`, async () => {
    const text = lessons.lessonText(name);
    const scenario = await lessons.readLesson(name);
    const words = scenario.text.trim().split(/\s+/).length;
    assert.ok(words >= 80 && words <= 200, `${words} words`);
    const paragraphs = paragraphsOf(scenario.text);
    assert.ok(paragraphs.length >= 3);
    const plain = paragraphs.flat().filter(({ kind }) => kind === 'plain');
    for (const part of plain)
      assert.doesNotMatch(part.text, /[*`]/, 'a mark without its other half');
    assert.ok(scenario.steps.length >= 2 && scenario.steps.length <= 6);
    for (const { note } of scenario.steps) assert.match(note, /^[A-Z][^\n]+\.$/);
    const hash = await toHash({ scenario: text, position: 1000 });
    assert.ok(hash.length <= HASH_BYTES_MAX, `${hash.length} bytes`);
  });
}

test('the files of lessons are Lists of objects', async () => {
  const files = lessonFiles();
  for (const { name, text } of files) {
    const { kind, items } = JSON.parse(text);
    assert.equal(kind, 'List');
    assert.deepEqual(items, await readLessonFile(name));
  }
  const counts = files.map(({ name, text }) => [name, JSON.parse(text).items.length]);
  assert.deepEqual(counts, [
    ['openb-nodes.json', 1523],
    ['openb-first-pods.json', 2000],
    ['openb-other-pods.json', 6152],
  ]);
  await assert.rejects(readLessonFile('passwd'), /no lesson has a file passwd/);
});
