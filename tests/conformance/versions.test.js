/**
 * The scenarios that kube-scheduler v1.33, v1.34 and v1.35 decided: those that come out otherwise
 * than in v1.36 were recorded again, and a manifest names those that do not.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { FACT_TEXTS } from '../../js/src/kubernetes/release_facts.js';
import { startNative } from '../js/support/real_engine.js';
import { VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { loadTarget, TARGETS } from '../support/targets.js';
import { collectCases } from './collect.js';
import {
  casesOfRelease,
  minorOf,
  RECORDED_RELEASES,
  recordedAgain,
  scenariosOf,
} from './releases.js';
import { failuresIn, passed } from './report.js';
import { GOLDEN, GOLDEN_DATA, runCases } from './run.js';
import { waysOf } from './ways.js';

/** By release: the scenarios recorded again, and those that v1.36's recording is valid for. */
const RELEASES = /** @type {const} */ ({
  'v1.35.6': [823, 82],
  'v1.34.9': [812, 79],
  'v1.33.13': [876, 15],
});

/** The recorded facts, by the cause in the manifests, and the last release without each. */
const { releases, releaseFacts } = (await startNative()).engine;
const FACTS = releaseFacts
  .filter(({ name }) => FACT_TEXTS[name].scenario)
  .map(({ name, since }) => {
    const index = releases.findIndex(({ version }) => version === since);
    return [name, /** @type {string} */ (releases[index - 1].patch)];
  });

/** Scenarios in which another cause comes first, so that the manifest says nothing of this one. */
const OVERTAKEN = new Set([
  'victim-already-terminating nominated-018',
  'balanced-allocation volume-limits-015',
]);

/**
 * One scenario of so many is played natively and in WebAssembly, in every mode of the cache; the
 * first differs from release to release. The others are played natively, in the engine's own mode
 * and one more, by turns. Without a fact, one of so many scenarios of equal causes is played. With
 * STOWAGE_EVERY_WAY, as each night, all are played in every way.
 */
const SAMPLED = process.env.STOWAGE_EVERY_WAY ? 1 : 7;
const OWN_MODE = 'firstUse';

const manifests = new Map(RECORDED_RELEASES.map((release) => [release, scenariosOf(release)]));

const OPTIONS = { data: GOLDEN_DATA, tieBreak: /** @type {'name'} */ ('name') };

/** Results without each fact of a release. @type {Map<string, import('./report.js').Result[]>} */
const withoutFacts = new Map();

/** @type {import('./collect.js').Case[]} */
let newest;
/** The scenarios that a release decides. @type {Map<string, import('./collect.js').Case[]>} */
let valid;
/** @type {{target: string, engine: import('../support/raw_engine.js').RawEngine}[]} */
let built;

before(async () => {
  newest = collectCases([GOLDEN]).filter((one) => one.decisions);
  valid = new Map(
    RECORDED_RELEASES.map((release) => [
      release,
      casesOfRelease(release).filter(({ decisions }) => decisions),
    ]),
  );
  built = [];
  for (const target of TARGETS) built.push({ target, engine: await loadTarget(target) });
});

for (const [at, [release, [again, same]]] of Object.entries(RELEASES).entries()) {
  const kubernetesVersion = minorOf(release);
  for (const detail of /** @type {const} */ (['nodes', 'summary'])) {
    test(`all scenarios agree with kube-scheduler ${release} (${detail})`, () => {
      const cases = valid.get(release) ?? [];
      assert.equal(cases.length, again + same);
      const modes = detail === 'nodes' ? /** @type {const} */ (['off']) : VERDICT_CACHE_MODES;
      const isSampled = (/** @type {number} */ index) => index % SAMPLED === at % SAMPLED;
      const sample = cases.filter((_, index) => isSampled(index));
      const others = cases.filter((_, index) => !isSampled(index));
      const options = { ...OPTIONS, detail, kubernetesVersion };
      const results = runCases(waysOf(built, modes), sample, options);
      assert.equal(results.length, sample.length * modes.length * built.length);
      for (const [turn, mode] of modes.entries()) {
        const some = others.filter((_, index) => index % modes.length === turn);
        const ways = waysOf(native(), detail === 'nodes' ? [mode] : [OWN_MODE, mode]);
        results.push(...runCases(ways, some, options));
      }
      assert.equal(new Set(results.map(({ name }) => name)).size, cases.length);
      assert.equal(failuresIn(results), '');
    });
  }
}

test('a folder of a release can be played as it is, with its manifest', () => {
  for (const release of manifests.keys()) {
    const faulty = recordedAgain(release).filter(({ fault }) => fault);
    assert.deepEqual(faulty, [], release);
  }
});

test('the replay of the openb trace agrees with kube-scheduler v1.35.6, node for node', () => {
  const cases = recordedAgain('v1.35.6').filter(({ lines }) => lines);
  const ways = waysOf(built, ['firstUse']);
  const detail = /** @type {'summary'} */ ('summary');
  const results = runCases(ways, cases, { ...OPTIONS, detail, kubernetesVersion: '1.35' });
  assert.equal(failuresIn(results), '');
  assert.deepEqual(
    results.map(({ outcome }) => outcome.agreed),
    ways.map(() => 8152),
  );
});

for (const [fact, release] of FACTS) {
  test(`without ${fact}, the scenarios differ that the manifest names, and no others`, () => {
    const scenarios = manifests.get(release) ?? {};
    const named = judgedIn(release).filter(({ name }) => fact in (scenarios[name].causes ?? {}));
    const different = differentWithout(fact, release);
    const isJudged = (/** @type {string} */ name) => !OVERTAKEN.has(`${fact} ${name}`);
    assert.ok(different.length > 0);
    assert.deepEqual(
      new Set(different.filter(isJudged)),
      new Set(named.map(({ name }) => name).filter(isJudged)),
    );
  });
}

/**
 * A sample of the scenarios that a release's manifest judges: of those with equal causes, the first
 * and every SAMPLED-th after it.
 * @param {string} release
 */
function judgedIn(release) {
  const scenarios = manifests.get(release) ?? {};
  /** @type {Map<string, number>} */
  const seen = new Map();
  return newest.filter(({ name }) => {
    const { status, causes = {} } = scenarios[name] ?? {};
    if (status !== 'same' && status !== 'different') return false;
    const combination = Object.keys(causes).sort().join();
    const index = seen.get(combination) ?? 0;
    seen.set(combination, index + 1);
    return index % SAMPLED === 0;
  });
}

/**
 * The names of the scenarios that differ without a fact. All facts of a release are played
 * together, because most scenarios come out as with the fact.
 * @param {string} fact
 * @param {string} release
 */
function differentWithout(fact, release) {
  const facts = FACTS.filter(([, last]) => last === release).map(([name]) => name);
  let results = withoutFacts.get(release);
  if (!results) {
    const [plain] = waysOf(native(), ['off']);
    const ways = facts.map((name) => ({ ...plain, behaviour: { [name]: false } }));
    results = runCases([plain, ...ways], judgedIn(release), OPTIONS);
    withoutFacts.set(release, results);
  }
  const at = 1 + facts.indexOf(fact);
  return results
    .filter((one, index) => index % (1 + facts.length) === at && !passed(one))
    .map(({ name }) => name);
}

/** The native engine, as built. */
function native() {
  return built.filter(({ target }) => target === 'native');
}
