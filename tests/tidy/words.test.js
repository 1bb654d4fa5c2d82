import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findings, isText, repository } from './files.js';
import { bannedWords } from './words.js';

/** Recorded and generated data says what it says. */
const isData = (/** @type {string} */ path) => /\.(ndjson|csv)$|^package-lock\.json$/.test(path);

test('no unfinished business, no machine’s paths', () => {
  assert.deepEqual(
    findings((path) => isText(path) && !isData(path), bannedWords),
    [],
  );
});

test('the rule for words finds what it is for', () => {
  const bad = [
    `// ${'TO'}${'DO'}: later`,
    `${'FIX'}${'ME'}(me)`,
    `${'Voy'}${'age'} 3`,
    `open('/${'home'}/me/file')`,
    `see /${'tmp'}/notes`,
    `https://deb.${'debian'}.org`,
    `https://registry.${'npmjs'}.org/`,
    ...(repository.split('/').length > 2 ? [`cd ${repository}`] : []),
  ];
  for (const text of bad) assert.ok(bannedWords('a.js', text).length > 0, text);
  const good = ['a todo list', 'xxxl', 'build/tmp/file', 'js/home/page', 'https://www.debian.org'];
  for (const text of good) assert.deepEqual(bannedWords('a.js', text), [], text);
});
