import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkedMoves, movesOf, portionsOf } from '../../../web/src/scenario/moves.js';

const APPLY = /** @type {const} */ ({ do: 'apply', objects: [] });
const STEP = /** @type {const} */ ({ do: 'step' });

/**
 * @param {import('../../../web/src/world/world.js').Action} action
 * @param {boolean} isOwn
 * @param {number} chapter
 * @param {number} next
 */
function done(action, isOwn, chapter, next) {
  return { action, isOwn, chapter, next };
}

test('chapters become one word, cycles a number, own actions stay as they are', () => {
  const all = [
    done(APPLY, false, 1, 0),
    ...Array.from({ length: 2000 }, () => done(STEP, true, 1, 0)),
    done(APPLY, false, 1, 1),
    done(STEP, false, 1, 2),
    done(APPLY, false, 2, 0),
    done(STEP, true, 2, 0),
    done({ do: 'wait', for: 5 }, true, 2, 0),
    done(STEP, true, 2, 0),
    done(APPLY, false, 2, 1),
    done(APPLY, true, 2, 1),
    done(APPLY, false, 3, 0),
  ];
  const moves = movesOf(all);
  const wait = { do: 'wait', for: 5 };
  assert.deepEqual(moves, ['next', 2000, 'next', 1, wait, 1, { next: 1 }, APPLY, 'next']);
  assert.deepEqual(checkedMoves(JSON.parse(JSON.stringify(moves))), moves);
  assert.deepEqual(
    [...portionsOf(['next', 450, wait], 200)],
    [['next'], [200], [200], [50], [wait]],
  );
});

test('invalid and too many moves are refused', () => {
  const cases = [
    ['next', /it has no list of moves/],
    [['nxt'], /its move 1 is unknown to this page/],
    [[1, -1], /its move 2 is unknown/],
    [[1.5], /its move 1 is unknown/],
    [[{ next: 0 }], /its move 1 is unknown/],
    [[{ do: 'format' }], /its move 1 is unknown/],
    [[{ do: 'constructor' }], /its move 1 is unknown/],
    [[{ do: 'apply', objects: [1] }], /its move 1 is unknown/],
    [[{ do: 'wait', for: -1 }], /its move 1 is unknown/],
    [[{ do: 'advance', to: '5' }], /its move 1 is unknown/],
    [[{ do: 'evict', pods: [{}] }], /its move 1 is unknown/],
    [[60_000, 60_000], /it has more than 100000 cycles/],
  ];
  for (const [value, message] of cases)
    assert.throws(() => checkedMoves(value), /** @type {RegExp} */ (message));
});
