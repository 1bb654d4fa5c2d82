/** The world simulation for its first events, and its command. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { commandOf, parseRequest, playAll, readRanges, writeRanges } from './sim.js';
import { shrinkGame, shrinkList } from './shrink.js';
import { FAULTS } from './weather.js';
import { partOf } from './world_game.js';
import { Planner } from './world_plan.js';

const EVENTS = 20_000;

/** What must have come up at least, for the checks to have had something to check. */
const LEAST = {
  scheduled: 2000,
  gated: 50,
  preempting: 100,
  bound: 1500,
  bindFailed: 200,
  timedOut: 1000,
  contradictions: 50,
  gaps: 200,
  compared: 1000,
  left: 50,
  looks: 50_000,
};

test(`what must hold does, over ${EVENTS} events`, async () => {
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

test('reads which games are meant', () => {
  const games = (/** @type {string} */ line) =>
    parseRequest(line === '' ? [] : line.split(' '))?.games.map((one) => [one.seed, one.events]);
  assert.equal(games('')?.length, 10);
  assert.deepEqual(games('--events 4500 --from 7'), [
    [7, 2000],
    [8, 2000],
    [9, 500],
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
    '--sead 1',
  ]) {
    assert.throws(() => parseRequest(line.split(' ')), line);
  }
});

test('the command of a small game gives that game', () => {
  const game = { seed: 3, events: 90, targets: ['native'], without: ['gap'], keep: [1, 4, 5, 6] };
  const [, , , , ...argv] = commandOf(game).split(' ');
  assert.deepEqual(parseRequest(argv)?.games, [game]);
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

test('finds the smallest list', async () => {
  const list = Array.from({ length: 100 }, (_, index) => index);
  const needs = (/** @type {number[]} */ ...needed) =>
    shrinkList(list, async (part) => needed.every((one) => part.includes(one)));
  assert.deepEqual(await needs(), []);
  assert.deepEqual(await needs(42), [42]);
  assert.deepEqual(await needs(0, 50, 51, 99), [0, 50, 51, 99]);
});

test('makes a game small in faults and events', async () => {
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
