// Goal: the notes of an evaluation come to its scores, for every plugin, and their formulas can be
// followed by hand. Method: recorded scenarios of every family, each pod asked about before its
// cycle; then plugins in JavaScript, extenders and the option itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Cluster, podName } from '../../conformance/cluster.js';
import { collectCases } from '../../conformance/collect.js';
import { GOLDEN } from '../../conformance/run.js';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

/**
 * @import { Case } from '../../conformance/collect.js'
 * @import { Engine } from '../../../js/src/engine/engine.js'
 * @import { Evaluation } from '../../../js/src/engine/types.js'
 */

/** Of each family, and of each scenario. */
const SCENARIOS = 2;
const STEPS_MAX = 12;

/** @type {Map<string, Case[]>} */
const families = new Map();
for (const one of collectCases([`${GOLDEN}decisions`])) {
  const some = families.get(one.family) ?? [];
  if (some.length < SCENARIOS && one.family !== 'large') families.set(one.family, [...some, one]);
}

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();

  test(`${target}: notes come to the scores of recorded scenarios`, async () => {
    /** @type {Map<string, number>} */
    const checked = new Map();
    for (const [family, cases] of families) {
      for (const { name, decisions } of cases) {
        for await (const evaluation of evaluationsOf(engine, decisions)) {
          assert.deepEqual(faultsOf(evaluation, checked), [], `${family} ${name}`);
        }
      }
    }
    for (const plugin of ['NodeAffinity', 'InterPodAffinity', 'PodTopologySpread'])
      assert.ok((checked.get(plugin) ?? 0) > 100, plugin);
    assert.ok((checked.get('ImageLocality') ?? 0) > 1000);
  });

  test(`${target}: a plugin in JavaScript may note its operands`, async () => {
    const plugin = {
      name: 'Near',
      score: (/** @type {any} */ state, /** @type {any} */ pod, /** @type {any} */ { name }) =>
        name === 'a' ? 3 : 6,
      scoreNotes: (
        /** @type {any} */ state,
        /** @type {any} */ pod,
        /** @type {any} */ { name },
      ) => [`${name} is far`, 'from the pod'],
      normalizeScore: (
        /** @type {any} */ state,
        /** @type {any} */ pod,
        /** @type {any[]} */ all,
      ) => all.forEach((one) => (one.score *= 10)),
    };
    const evaluate = (/** @type {any} */ one) => {
      const scheduler = engine.createScheduler({
        plugins: [one],
        configuration: enabling('Near'),
      });
      scheduler.apply([makeNode('a'), makeNode('b')]);
      const scoreNotes = { plugin: 'Near', node: 'a' };
      const evaluation = scheduler.evaluate(makePod('p'), { scoreNotes });
      scheduler.dispose();
      return evaluation.scoreNotes?.[0];
    };
    assert.deepEqual(evaluate(plugin), {
      node: 'a',
      plugin: 'Near',
      raw: { value: 3, lines: ['a is far', 'from the pod', 'answered 3'] },
      normalized: { value: 30, lines: ['the plugin normalizes 3 to 30'] },
      weight: 2,
      weighted: 60,
    });
    assert.deepEqual(evaluate({ ...plugin, scoreNotes: undefined })?.raw.lines, ['answered 3']);
    const [fault] = evaluate({ ...plugin, scoreNotes: () => 'no list' })?.raw.lines ?? [];
    assert.match(fault, /scoreNotes must return a list of strings/);
  });

  test(`${target}: an extender's score is noted as answered`, () => {
    const urlPrefix = 'http://extender/';
    const scheduler = engine.createScheduler({
      configuration: {
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        kind: 'KubeSchedulerConfiguration',
        extenders: [{ urlPrefix, prioritizeVerb: 'prioritize', weight: 2, nodeCacheCapable: true }],
      },
      extenders: {
        [urlPrefix]: { prioritize: () => [{ host: 'a', score: 4 }] },
      },
    });
    scheduler.apply([makeNode('a'), makeNode('b')]);
    const scoreNotes = { plugin: urlPrefix, node: 'a' };
    const { scoreNotes: [note] = [] } = scheduler.evaluate(makePod('p'), { scoreNotes });
    assert.deepEqual(note.raw, { value: 4, lines: ['answered 4'] });
    assert.deepEqual([note.weight, note.weighted], [20, 80]);
    scheduler.dispose();
  });

  test(`${target}: preemption notes the criteria by which it picks`, () => {
    const scheduler = engine.createScheduler();
    const taken = (/** @type {string} */ name, /** @type {number} */ priority) =>
      storedPod(`on-${name}`, { cpu: '4', spec: { nodeName: name, priority } });
    scheduler.apply([makeNode('a', { cpu: '4' }), makeNode('b', { cpu: '4' })]);
    scheduler.apply([taken('a', 3), taken('b', 2)]);
    const high = storedPod('high', { cpu: '4', spec: { priority: 9 } });
    scheduler.apply([high]);
    const { pickNotes, preemption } = scheduler.evaluate('default/high', { scoreNotes: {} });
    assert.equal(preemption?.nominatedNode, 'b');
    const sorted = [...(pickNotes?.nodes ?? [])].sort();
    assert.deepEqual(sorted, ['a', 'b']);
    const decisive = pickNotes?.criteria.at(-1);
    assert.equal(decisive?.criterion, 'lowest priority of the most important victim');
    assert.deepEqual(decisive?.left, ['b']);
    assert.equal(decisive?.amounts[pickNotes?.nodes.indexOf('a') ?? 0], 3);
    assert.equal(scheduler.evaluate('default/high').pickNotes, undefined);
    scheduler.dispose();
  });

  test(`${target}: the option is checked`, () => {
    const scheduler = engine.createScheduler();
    const ask = (/** @type {any} */ options) => () => scheduler.evaluate(makePod('p'), options);
    assert.throws(ask({ detail: 'summary', scoreNotes: {} }), /scoreNotes: Invalid value: true/);
    assert.throws(ask({ scoreNotes: { nodes: 'a' } }), /nodes/);
    scheduler.dispose();
  });
}

/** @param {string} name of a plugin */
function enabling(name) {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name, weight: 2 }] } } }],
  };
}

/**
 * An evaluation of each pod, as things stand before its cycle.
 * @param {Engine} engine
 * @param {any} file of decisions
 * @returns {AsyncGenerator<Evaluation>}
 */
async function* evaluationsOf(engine, { configuration, featureGates = {}, objects, steps }) {
  const scheduler = engine.createScheduler({ configuration, featureGates, tieBreak: 'name' });
  const cluster = new Cluster();
  const give = (/** @type {object[]} */ events) => {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (lines !== '') scheduler.apply(lines, { format: 'lines', onError: () => {} });
  };
  give(cluster.apply(objects));
  for (const step of steps.slice(0, STEPS_MAX)) {
    const { expect, pod, retry, apply = [], delete: gone = [] } = step;
    // An evaluation decides a pod of a group alone.
    if (!pod && !retry) {
      give([...cluster.apply(apply), ...cluster.delete(gone)]);
      continue;
    }
    if (pod) give(cluster.apply([pod]));
    const name = retry ?? podName(pod);
    yield scheduler.evaluate(name, { scoreNotes: {} });
    await scheduler.scheduleOne(name).catch(() => {});
    give(cluster.settle(name, expect));
  }
  scheduler.dispose();
}

/**
 * The notes that do not come to the evaluation's scores, and those that are missing.
 * @param {Evaluation} evaluation
 * @param {Map<string, number>} checked counts the notes by plugin
 */
function faultsOf({ feasible = [], scores = {}, rawScores = {}, scoreNotes = [] }, checked) {
  const wanted = Object.keys(scores).length * Math.min(feasible.length, 100);
  const faults = scoreNotes.length === wanted ? [] : [`${scoreNotes.length} notes, not ${wanted}`];
  for (const note of scoreNotes) {
    const { plugin, node, raw, normalized, weight, weighted } = note;
    const at = feasible.indexOf(node);
    checked.set(plugin, (checked.get(plugin) ?? 0) + 1);
    const lines = [...raw.lines, ...normalized.lines];
    const isRight =
      raw.value === rawScores[plugin][at] &&
      weighted === scores[plugin][at] &&
      weighted === normalized.value * weight &&
      raw.lines.length > 0 &&
      lines.every(isArithmetic);
    if (!isRight) faults.push(JSON.stringify(note));
  }
  return faults;
}

/**
 * Whether the formulas in a line, as far as they are arithmetic, come to their result. Divisions
 * are truncated on the way, so that the result may be off by less than one.
 * @param {string} line
 */
function isArithmetic(line) {
  return line.split(/[;:,] /).every((part) => {
    const [, formula, result] = /^([\d ()+×−/.-]+) = (-?\d+)$/.exec(part) ?? [];
    if (!formula) return true;
    return Math.abs(valueOf(tokensOf(formula)) - Number(result)) < 1 + 1e-9;
  });
}

/** @param {string} formula numbers, brackets and operators */
function tokensOf(formula) {
  return formula.match(/(?<![\d)] ?)-\d+|[\d.]+|[()+×−/]/g) ?? [];
}

/** The value of a sum; takes its tokens. @param {string[]} tokens @returns {number} */
function valueOf(tokens) {
  let sum = productOf(tokens);
  while (tokens[0] === '+' || tokens[0] === '−') {
    const isMinus = tokens.shift() === '−';
    sum += productOf(tokens) * (isMinus ? -1 : 1);
  }
  return sum;
}

/** @param {string[]} tokens @returns {number} */
function productOf(tokens) {
  let product = factorOf(tokens);
  while (tokens[0] === '×' || tokens[0] === '/') {
    const isDivision = tokens.shift() === '/';
    const factor = factorOf(tokens);
    product = isDivision ? product / factor : product * factor;
  }
  return product;
}

/** @param {string[]} tokens @returns {number} */
function factorOf(tokens) {
  const token = tokens.shift();
  if (token !== '(') return Number(token);
  const value = valueOf(tokens);
  tokens.shift();
  return value;
}
