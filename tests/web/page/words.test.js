import assert from 'node:assert/strict';
import { test } from 'node:test';

import { paragraphsOf } from '../../../web/src/page/prose.js';
import { clockText, durationText } from '../../../web/src/page/timeline/time_text.js';

test('prose is paragraphs with code and emphasis', () => {
  assert.deepEqual(paragraphsOf('A *taint* keeps\n`pods` away.\n\n2 * 3 * 4'), [
    [
      { kind: 'plain', text: 'A ' },
      { kind: 'emphasis', text: 'taint' },
      { kind: 'plain', text: ' keeps ' },
      { kind: 'code', text: 'pods' },
      { kind: 'plain', text: ' away.' },
    ],
    [{ kind: 'plain', text: '2 * 3 * 4' }],
  ]);
  assert.deepEqual(paragraphsOf(' \n\n '), []);
});

test('times are short', () => {
  assert.equal(clockText(Date.UTC(2026, 0, 1, 12, 30, 5, 7)), '12:30:05.007');
  const cases = /** @type {const} */ ([
    [0, '0 ms'],
    [999, '999 ms'],
    [1500, '1.5 s'],
    [59_999, '60 s'],
    [60_000, '1 min'],
    [90_000, '1 min 30 s'],
  ]);
  for (const [duration, text] of cases) assert.equal(durationText(duration), text);
});
