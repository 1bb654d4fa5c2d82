// Goal: prose names who acts. Method: comments, Markdown, lessons and names of tests are searched
// for the worst words.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, findings } from './files.js';
import { hasProse, obliqueWords } from './plain_words.js';

test('comments, documents, lessons and names of tests are in plain words', () => {
  assertNone(findings(hasProse, obliqueWords));
});

test('the rule for words finds what it is for', () => {
  const [who, some, none] = [
    ['who', 'ever'],
    ['some', 'body'],
    ['no', 'body'],
  ].map((parts) => parts.join(''));
  const bad = [
    ['a.md', `See ${who} comes.`],
    ['a.md', `${none}'s field`],
    ['a.js', `// ${some} else`],
    ['a.js', `/**\n * A client is\n * told about it.\n */`],
    ['a.cc', `int a;  // it is${' '}said\n`],
    ['a.h', `// it are\n// said\n`],
    ['CMakeLists.txt', `set(a 1)  # ${who}`],
    ['a.test.js', `test('${none} waits', () => {});`],
    ['a.test.js', `  test.skip(\n    \`what is${' '}told\`, () => {});`],
    ['a_test.cc', `TEST(Cache, ${'Who'}${'ever'}) {}`.replace('Whoever', 'GivesNobodyAway')],
    ['a_test.cc', 'TEST_F(WhatIsTold, Counts) {}'],
    ['web/lessons/1.yaml', `text: |\n  "${who}" reads this`],
  ];
  for (const [path, text] of bad) assert.equal(obliqueWords(path, text).length, 1, text);
  assert.deepEqual(obliqueWords('a.js', `a();\n/**\n * ${none}\n */`), [
    { line: 3, what: `“${none}”: name who acts` },
  ]);
  const good = [
    ['a.md', `\`${who}\` and "${none}"`],
    ['a.md', `\`\`\`\n${none}\n\`\`\``],
    ['a.js', `print('${none}'); // prints the text`],
    ['a.js', `// The host prints "${none} is there".`],
    ['a.cc', `Print("${none}");  // prints`],
    ['a_test.cc', 'TEST(Cache, TellsItsOwners) {}'],
    ['a.yaml', `name: ${none}`],
    ['a.md', 'This tells and says.'],
  ];
  for (const [path, text] of good) assert.deepEqual(obliqueWords(path, text), [], text);
});
