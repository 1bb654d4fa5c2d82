import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseScript } from './kubectl_script.js';

const TEXT = `== a story

# it is long
$ get a
NAME  AGE
a     {age}

b
! warning
? 1

$~ get b

$| get -w
& create c
c
`;

test('a script is read as it stands on a terminal', () => {
  const none = { prints: [], says: [], code: 0, isAwaited: false, isCutOff: false, meanwhile: '' };
  const { title, steps } = parseScript(TEXT);
  assert.equal(title, 'a story');
  const plain = steps.map(({ prints, ...rest }) => ({ ...rest, prints: prints.join('\n').trim() }));
  assert.deepEqual(plain, [
    {
      ...none,
      command: 'get a',
      prints: 'NAME  AGE\na     {age}\n\nb',
      says: ['warning'],
      code: 1,
    },
    { ...none, command: 'get b', prints: '', isAwaited: true },
    { ...none, command: 'get -w', prints: 'c', isCutOff: true, meanwhile: 'create c' },
  ]);
});

test('text before the first command is a mistake', () => {
  assert.throws(() => parseScript('== a\ntext\n'), { message: 'line 2: text' });
});
