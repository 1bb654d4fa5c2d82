// Goal: the edit that sets a pod's request makes it that large, and keeps every container's share.
// Method: random pods with init containers and native sidecars; a model starts their containers one
// after another, and remembers how much runs at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestOf } from '../../../../js/src/whatif/fix/requests.js';
import { Random } from '../../../sim/random.js';

/** @param {any} container in thousandths of a CPU */
const cpuOf = ({ resources }) => {
  const text = resources?.requests?.cpu ?? '0';
  return text.endsWith('m') ? parseInt(text, 10) : 1000 * Number(text);
};

/** Returns the most that runs at a time. @param {any} spec */
function mostOf({ containers, initContainers }) {
  let sidecars = 0;
  let most = 0;
  for (const container of initContainers) {
    most = Math.max(most, sidecars + cpuOf(container));
    if (container.restartPolicy === 'Always') sidecars += cpuOf(container);
  }
  const running = containers.reduce((sum, one) => sum + cpuOf(one), sidecars);
  return Math.max(most, running);
}

/** @param {Random} random @param {string} name @param {object} [more] */
const container = (random, name, more) => {
  const cpu = random.pick([undefined, '0', '1', '2', '3', '500m', '1500m']);
  return { name, image: 'app', ...(cpu && { resources: { requests: { cpu } } }), ...more };
};

/** @param {Random} random */
function podFrom(random) {
  const some = (/** @type {number} */ most, /** @type {(at: number) => any} */ make) =>
    Array.from({ length: random.below(most + 1) }, (_, at) => make(at));
  const containers = [container(random, 'c'), ...some(2, (at) => container(random, `c${at}`))];
  const initContainers = some(4, (at) =>
    container(random, `i${at}`, random.pick([{}, { restartPolicy: 'Always' }])),
  );
  return { metadata: { name: 'p', namespace: 'default' }, spec: { containers, initContainers } };
}

test('2,000 random pods request what they are lowered to', () => {
  let lowered = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const random = new Random(seed);
    const pod = podFrom(random);
    const asked = mostOf(pod.spec);
    // Enough for each container to keep a thousandth of a CPU.
    const value = 100 + random.below(Math.max(1, asked - 100));
    if (value >= asked) continue;
    const nano = (/** @type {number} */ milli) => BigInt(milli) * 1_000_000n;
    const to = { resource: 'cpu', value: nano(value), asked: nano(asked) };
    const edit = requestOf(/** @type {any} */ (pod), to);
    assert.ok(edit?.pod, `seed ${seed}: no edit from ${asked} to ${value}`);
    const { spec } = edit.pod(/** @type {any} */ (pod));
    assert.equal(mostOf(spec), value, `seed ${seed}: from ${asked}`);
    for (const list of ['containers', 'initContainers'])
      pod.spec[list].forEach((/** @type {any} */ one, /** @type {number} */ at) => {
        const [old, now] = [cpuOf(one), cpuOf(spec[list][at])];
        assert.ok(now <= old && now > 0 === old > 0, `seed ${seed}: ${old} became ${now}`);
      });
    lowered += 1;
  }
  assert.ok(lowered > 1500, `${lowered} pods`);
});
