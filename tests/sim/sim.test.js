/** The world simulation for its first events, and its command. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  commandOf,
  explainFailure,
  parseRequest,
  playAll,
  readRanges,
  writeRanges,
} from './sim.js';
import { shrinkGame, shrinkList } from './shrink.js';
import { FAULTS } from './fault_odds.js';
import { partOf, playGame } from './world_game.js';
import { Planner } from './world_plan.js';

const EVENTS = 20_000;

/** The least number of each check, so that none passes without having run. */
const LEAST = {
  scheduled: 2000,
  gated: 50,
  preempting: 100,
  victims: 500,
  bound: 1500,
  bindFailed: 200,
  timedOut: 1000,
  contradictions: 50,
  gaps: 200,
  restores: 60,
  readBack: 10,
  compared: 1000,
  left: 50,
  looks: 50_000,
  setAside: 50,
  provisions: 80,
  claimsBound: 50,
  preBindFailed: 50,
  steps: 500,
  mistakes: 50,
  judged: 400,
  allocations: 150,
  shares: 10,
  extended: 50,
  reservations: 10,
  claimsReady: 5,
  owned: 5000,
  deviceSteps: 500,
  lies: 40,
  devicesJudged: 1000,
  gangs: 3000,
  gangsStarted: 100,
  gangsWaiting: 50,
  gangPods: 200,
  gangStates: 15_000,
};

test(`all invariants hold over ${EVENTS} events`, async () => {
  const request = parseRequest(['--events', String(EVENTS), '--jobs', '1']);
  assert.ok(request);
  /** @type {string[]} */
  const said = [];
  const { failures, counts } = await playAll(request, (text) => said.push(text));
  for (const text of said) console.log(text);
  assert.equal(failures, 0, said.join('\n'));
  assert.equal(counts.events, EVENTS);
  for (const [name, least] of Object.entries(LEAST)) {
    assert.ok(counts[name] >= least, `${name}: ${JSON.stringify(counts)}`);
  }
});

test('without faults no device has two claims, and every lack of devices is one', async () => {
  /** @type {Record<string, number>} */
  const sums = {};
  for (let seed = 2; seed <= 44; seed += 6) {
    const numbers = { seed, events: 250, targets: ['native'], without: FAULTS };
    const { failure, counts } = await playGame(numbers);
    assert.equal(failure, null, `seed ${seed}: ${failure?.what}`);
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  const { doubled, allocations, devicesJudged } = sums;
  assert.equal(doubled, 0);
  assert.ok(allocations >= 50 && devicesJudged >= 300, JSON.stringify(sums));
});

test('a pod that a restored world moves on a watch is listed again', async () => {
  // The earlier games are those of the test above.
  for (let seed = 41; seed <= 400; seed += 1) {
    const { failure, counts } = await playGame({ seed, events: 500, targets: ['native'] });
    assert.equal(failure, null, `seed ${seed}`);
    if (counts.contradicted > 0) return;
  }
  assert.fail('no watch moved a pod');
});

test('the command line selects games', () => {
  const games = (/** @type {string} */ line) =>
    parseRequest(line === '' ? [] : line.split(' '))?.games.map((one) => [one.seed, one.events]);
  assert.equal(games('')?.length, 40);
  assert.deepEqual(games('--events 1200 --from 7'), [
    [7, 500],
    [8, 500],
    [9, 200],
  ]);
  assert.deepEqual(games('--seed 3 --events 9000'), [[3, 9000]]);
  assert.equal(parseRequest(['--help']), null);
  for (const line of [
    '--seed x',
    '--events 0',
    '--seed 1 --from 2',
    '--keep 1',
    '--target web',
    '--without rain',
    '--cache large',
    '--sead 1',
  ]) {
    assert.throws(() => parseRequest(line.split(' ')), line);
  }
});

test('the command of a small game repeats that game', () => {
  const game = { seed: 3, events: 90, targets: ['native'], without: ['gap'], keep: [1, 4, 5, 6] };
  const [, , , , ...argv] = commandOf(game).split(' ');
  assert.deepEqual(parseRequest(argv)?.games, [game]);
  const [, , , , ...cached] = commandOf({ ...game, cache: 'tiny' }).split(' ');
  assert.deepEqual(parseRequest(cached)?.games, [{ ...game, cache: 'tiny' }]);
  assert.equal(writeRanges([1, 4, 5, 6]), '1,4-6');
  assert.deepEqual(readRanges('1,4-6'), [1, 4, 5, 6]);
});

test('a plan depends on its seed alone, and keeps its times when it is cut', () => {
  const plan = new Planner(5).plan(300);
  assert.deepEqual(new Planner(5).plan(300), plan);
  assert.notDeepEqual(new Planner(6).plan(300), plan);
  const timeOf = (/** @type {any[]} */ part) => part.reduce((sum, { waitUs }) => sum + waitUs, 0);
  const part = partOf(plan, [0, 7, 299]);
  assert.deepEqual(
    part.map(({ op }) => op),
    [0, 7, 299].map((index) => plan[index].op),
  );
  assert.equal(timeOf(part), timeOf(plan));
});

test('the smallest list is found', async () => {
  const list = Array.from({ length: 100 }, (_, index) => index);
  const needs = (/** @type {number[]} */ ...needed) =>
    shrinkList(list, async (part) => needed.every((one) => part.includes(one)));
  assert.deepEqual(await needs(), []);
  assert.deepEqual(await needs(42), [42]);
  assert.deepEqual(await needs(0, 50, 51, 99), [0, 50, 51, 99]);
});

test('faults and events of a game are minimized', async () => {
  const numbers = { seed: 1, events: 40, targets: ['native'] };
  const small = await shrinkGame(numbers, async ({ without = [], keep }) => {
    return !without.includes('lost') && (keep ?? [7]).includes(7);
  });
  assert.deepEqual(small.keep, [7]);
  assert.deepEqual(
    small.without,
    FAULTS.filter((fault) => fault !== 'lost'),
  );
});

/** Plays no world: a game fails as `fails` returns. @param {(game: any) => string | null} fails */
function stubPlayer(fails) {
  /** @type {any[]} */
  const played = [];
  const play = async (/** @type {any} */ game) => {
    played.push(game);
    const invariant = fails(game);
    return { failure: invariant ? { invariant, what: `${invariant}!` } : null, counts: {} };
  };
  return { played, player: /** @type {any} */ ({ play }) };
}

test('a failure is reported with its smallest game, which alone is logged', async () => {
  const numbers = { seed: 7, events: 40, targets: ['native'] };
  const all = Array.from({ length: numbers.events }, (_, index) => index);
  const failure = { invariant: 'place', what: 'p is nowhere' };
  const cases = [
    { name: 'by what had happened', counts: { events: 9 }, needed: [3], first: 10 },
    { name: 'by what comes later', counts: { events: 9 }, needed: [3, 20], first: 10 },
    { name: 'by the end of its process', counts: {}, needed: [39], first: 0 },
  ];
  for (const { name, counts, needed, first } of cases) {
    const { played, player } = stubPlayer(({ keep = all, without = [] }) => {
      const isSame = needed.every((event) => keep.includes(event)) && !without.includes('lost');
      return isSame ? 'place' : 'binding';
    });
    const result = /** @type {any} */ ({ failure, counts, missing: [] });
    const [what, again, log, ...rest] = (await explainFailure(player, numbers, result)).split('\n');
    assert.deepEqual(rest, []);
    assert.equal(what, `seed 7 fails with ${needed.length} events: place!`, name);
    const [, , , , ...argv] = again.replace('  again: ', '').split(' ');
    const game = parseRequest(argv)?.games[0];
    assert.deepEqual(game?.keep, needed, name);
    assert.deepEqual(
      game?.without,
      FAULTS.filter((fault) => fault !== 'lost'),
    );
    assert.equal(played[0].keep.length, first, 'first what came before the failure');
    assert.deepEqual(
      played.filter(({ logFile }) => logFile),
      [played.at(-1)],
    );
    assert.deepEqual(played.at(-1).keep, needed);
    assert.match(log, /^  log:   .*build[/\\]sim[/\\]seed-7\.jsonl$/);
    assert.ok(log.endsWith(played.at(-1).logFile));
  }
});
