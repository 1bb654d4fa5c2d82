// Goal: a second world with another configuration repeats the first one's actions.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { lessonText } from '../played_lesson.js';
import { node, pod } from '../world/objects.js';

/** @import { Update } from '../../../web/src/worker/opening.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const HEAD = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
const PACKS = {
  configuration: {
    ...HEAD,
    profiles: [
      {
        pluginConfig: [
          { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } },
        ],
      },
    ],
  },
};

/** Four nodes, four pods, then a fifth that fits only where pods were packed. */
const SCENARIO = JSON.stringify({
  apiVersion: 'stowage/v1',
  kind: 'Scenario',
  title: 'Small ones, then a big one',
  objects: ['a', 'b', 'c', 'd'].map((name) => node(name, '4')),
  steps: [
    { note: 'Four small pods.', apply: ['1', '2', '3', '4'].map((name) => pod(name)) },
    { note: 'A big one.', apply: pod('big', '4') },
    { note: 'Room is made.', advance: '20s', apply: node('e', '4') },
  ],
});

/** Both worlds as a page would show them: the pods with their nodes. */
class Page {
  /** @type {Map<string, string>} */
  left = new Map();
  /** @type {Map<string, string>} */
  right = new Map();
  /** @type {Update | undefined} */
  #last;

  /** @param {Playground} playground */
  constructor(playground) {
    this.playground = playground;
  }

  get last() {
    assert.ok(this.#last);
    return this.#last;
  }

  /** @param {Update | Promise<Update>} update */
  async show(update) {
    this.#last = await update;
    const { cluster, other } = this.#last;
    take(this.left, cluster);
    if (other) take(this.right, other.cluster);
    return this.#last;
  }

  /** Waits until both worlds are at one position. */
  async caughtUp() {
    let times = 0;
    for (; this.last.other?.behind; times += 1) await this.show(this.playground.catchUp());
    return times;
  }

  /** Plays the next chapter with all its decisions. */
  async next() {
    await this.show(this.playground.next());
    while (!this.last.isIdle) await this.show(this.playground.steps(3));
  }
}

/**
 * @param {Map<string, string>} places
 * @param {import('../../../web/src/model/cluster_model.js').Changes} changes
 */
function take(places, { isWhole, pods, gonePods }) {
  if (isWhole) places.clear();
  for (const { key, node: on } of pods) places.set(key, on);
  for (const key of gonePods) places.delete(key);
}

/**
 * An open scenario with all of its first chapter decided.
 * @param {import('node:test').TestContext} t
 * @param {string} [text]
 */
async function opened(t, text = SCENARIO) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  const page = new Page(playground);
  await page.show((await playground.open(text)).update);
  return { playground, page };
}

/** @param {Map<string, string>} places */
const nodesUsed = (places) => new Set([...places.values()].filter(Boolean)).size;

test('equal configurations give equal worlds for all actions', async (t) => {
  const { playground, page } = await opened(t);
  await page.next();
  await page.show(playground.compare({}));
  const check = () => {
    const { hash, other } = page.last;
    assert.equal(other?.behind, 0);
    assert.equal(other.hash, hash);
    assert.deepEqual(page.right, page.left);
  };
  check();
  const end = page.last.position;
  await page.next();
  check();
  await page.show(playground.goTo(3));
  check();
  await page.show(playground.goTo(end + 1));
  check();
  await page.show(playground.goTo(4));
  await page.show(playground.do({ do: 'apply', objects: [pod('other')] }));
  assert.equal(page.last.length, 5, 'another future began');
  check();
  await page.show(playground.steps(2));
  await page.show(playground.do({ do: 'wait', for: 60_000 }));
  assert.equal(page.right.get('default/other'), page.left.get('default/other'));
  check();
});

test('bin packing leaves room that spreading does not', async (t) => {
  const { playground, page } = await opened(t);
  await page.show(playground.compare(PACKS));
  await page.next();
  assert.deepEqual([nodesUsed(page.left), nodesUsed(page.right)], [4, 1]);
  await page.next();
  assert.equal(page.left.get('default/big'), '');
  assert.notEqual(page.right.get('default/big'), '');
  // The pod is retried in the first world alone; the other one has nothing to do then.
  await page.next();
  assert.equal(page.left.get('default/big'), 'e');
  assert.notEqual(page.last.hash, page.last.other?.hash);
});

test('deadlines of both worlds are waited for', async (t) => {
  const { playground, page } = await opened(t);
  await page.next();
  await page.next();
  await page.show(playground.compare(PACKS));
  while (!page.last.isIdle) await page.show(playground.steps(1));
  assert.notEqual(page.last.nextDeadline, null, 'containers start, the big pod is tried again');
  await page.show(playground.goTo(2));
  await page.show(playground.steps(1));
  assert.equal(page.last.isIdle, false);
  await page.show(playground.steps(100));
  assert.ok(page.last.isIdle);
  assert.equal(page.last.other?.behind, 0);
});

test('an attempt is evaluated in the other world too, with its own times', async (t) => {
  const { playground, page } = await opened(t);
  await page.show(playground.compare(PACKS));
  await page.next();
  const { position } = page.last;
  await page.next();
  const attemptsAt = (/** @type {string} */ name) =>
    playground.otherRowsAbout(name).filter(({ kind }) => kind === 'Decision');
  const [second] = attemptsAt('default/2');
  assert.ok(second.position <= position);
  assert.equal(second.node, page.right.get('default/2'));
  const then = await playground.evaluateOther('default/2', second.attempt);
  assert.equal(then?.node, page.right.get('default/2'));
  assert.equal(then?.numAllNodes, 4);
  const node = String(then?.node);
  const explained = playground.explainOtherScore({ plugin: 'NodeResourcesFit', node });
  assert.equal(
    explained?.weighted,
    then?.scores?.NodeResourcesFit[then.feasible?.indexOf(node) ?? -1],
  );
  const [big] = attemptsAt('default/big');
  assert.ok(big.position > position, 'its first attempt is later');
  assert.ok((await playground.evaluateOther('default/big', big.attempt))?.node);
  assert.deepEqual(playground.otherRowsAbout('default/none'), []);
  assert.equal(await playground.evaluateOther('default/none'), null);
  assert.ok((await playground.evaluateOther('default/big'))?.table);
  await page.show(playground.goTo(position));
  assert.deepEqual(attemptsAt('default/big'), [], 'it is not there yet');
});

test('an invalid configuration shows its error with the line, and changes nothing', async (t) => {
  const { playground, page } = await opened(t);
  await page.show(playground.compare(PACKS));
  const refused = [
    ['profiles: [', { line: 1, code: 'MalformedYaml' }],
    ['- 1', { line: 1 }],
    ['kind: List\nitems: []', { message: /one KubeSchedulerConfiguration is expected/ }],
    [
      `${Object.entries(HEAD)
        .map((pair) => pair.join(': '))
        .join('\n')}\nparallelism: 0`,
      { line: 3, field: 'parallelism', code: 'InvalidConfiguration' },
    ],
  ];
  for (const [configuration, expected] of refused)
    await assert.rejects(
      playground.compare({ configuration: String(configuration) }),
      /** @type {object} */ (expected),
    );
  await assert.rejects(playground.compare({ featureGates: { Nonsense: true } }), /Nonsense/);
  await page.next();
  assert.deepEqual([nodesUsed(page.left), nodesUsed(page.right)], [4, 1]);
});

test('the other world keeps its configuration, and pods keep their names', async (t) => {
  const { playground, page } = await opened(t, lessonText('06-bin-packing'));
  await page.next();
  await page.next();
  await page.next();
  await page.show(playground.compare({}));
  assert.deepEqual([...page.right.keys()].sort(), [...page.left.keys()].sort());
  for (const packed of [4, 1]) {
    assert.deepEqual([nodesUsed(page.left), nodesUsed(page.right)], [packed, 4]);
    assert.deepEqual([...page.right.keys()].sort(), [...page.left.keys()].sort());
    await page.next();
    await page.next();
  }
});

test('errors in the other world alone are reported', async (t) => {
  const { playground, page } = await opened(t);
  await page.show(playground.compare(PACKS));
  await page.next();
  await page.next();
  const update = await page.show(playground.do({ do: 'scheduleOne', pod: 'default/big' }));
  assert.deepEqual(update.errors, []);
  assert.match(update.other?.errors.join() ?? '', /default\/big/);
  const both = await page.show(playground.do({ do: 'scheduleOne', pod: 'default/none' }));
  assert.equal(both.errors.length, 1);
  assert.deepEqual(both.other?.errors, []);
});

test('a long history is repeated in parts, and the comparison ends', async (t) => {
  const { playground, page } = await opened(t);
  for (let count = 0; count < 450; count += 1)
    await page.show(playground.do({ do: 'wait', for: 1 }));
  await page.show(playground.compare({}));
  assert.equal(page.last.isIdle, false);
  assert.equal(await page.caughtUp(), 2);
  await page.show(playground.goTo(440));
  assert.equal(await page.caughtUp(), 2);
  assert.ok(page.last.isIdle);
  await page.show(playground.compare({}));
  await page.show(playground.steps(1000));
  assert.deepEqual([page.last.other?.behind, page.last.isIdle], [0, true]);
  const { other } = await page.show(playground.compare(null));
  assert.equal(other, undefined);
  assert.equal(await playground.evaluateOther('default/1'), null);
});
