// Goal: a patch changes what an edit changes, and keeps what a live object has besides. Method: the
// patches of random edits are applied to the input, and to a live object with more fields and
// ports than it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyStrategicMergePatch } from '../../../../js/apiserver/patch/strategic_merge_patch.js';
import { shapeOf } from '../../../../js/apiserver/schema/types.js';
import { changeHostPorts } from '../../../../js/src/whatif/fix/host_ports.js';
import { strategicPatch } from '../../../../js/src/whatif/fix/patch.js';
import { Random } from '../../../sim/random.js';

const POD = shapeOf('v1', 'Pod');
const byPort = (/** @type {any} */ a, /** @type {any} */ b) => a.containerPort - b.containerPort;

/** @param {any} spec */
const podOf = (spec) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });

/** @param {any[]} ports @param {boolean} hostNetwork */
const withPorts = (ports, hostNetwork) =>
  podOf({ hostNetwork, containers: [{ name: 'main', image: 'app', ports }] });

/** @param {any} pod @param {any} patch @returns {any[]} the ports by number */
const portsAfter = (pod, patch) =>
  applyStrategicMergePatch(pod, patch, POD).spec.containers[0].ports.toSorted(byPort);

test('other host ports leave the names, and the ports that the input lacks', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = new Random(seed);
    const hostNetwork = random.below(3) === 0;
    const live = Array.from({ length: 1 + random.below(4) }, (_, at) => ({
      name: `port-${at}`,
      containerPort: 80 + 3 * at,
      ...(random.below(3) > 0 || at === 0 ? { hostPort: 80 + 3 * at } : {}),
      protocol: random.pick(['TCP', 'UDP']),
    }));
    const before = withPorts(
      live.flatMap(({ name, ...port }) => (port.hostPort ? [port] : [])),
      hostNetwork,
    );
    const taken = before.spec.containers[0].ports
      .filter((/** @type {any} */ _, /** @type {number} */ at) => at === 0 || random.below(2) > 0)
      .map((/** @type {any} */ { hostPort, protocol }) => ({ port: hostPort, protocol }));
    const culprit = /** @type {any} */ ({ node: 'a', plugin: 'NodePorts', ports: taken });
    const [[edit]] = changeHostPorts(culprit, [], /** @type {any} */ (before));
    const after = /** @type {any} */ (edit.pod?.(/** @type {any} */ (before)));
    const patch = strategicPatch(before, after);
    const wanted = after.spec.containers[0].ports.toSorted(byPort);
    assert.deepEqual(portsAfter(before, patch), wanted, `seed ${seed}`);
    const kept = portsAfter(withPorts(live, hostNetwork), patch);
    assert.equal(kept.length, live.length, `seed ${seed}`);
    assert.deepEqual(
      kept.flatMap(({ name, ...port }) => (port.hostPort ? [port] : [])),
      wanted,
      `seed ${seed}`,
    );
    const names = kept.filter(({ name }) => name).length;
    assert.equal(names, live.length - (hostNetwork ? taken.length : 0), `seed ${seed}`);
  }
});

test('a list with two items of one key is replaced as a whole', () => {
  const ports = ['TCP', 'UDP'].map((protocol) => ({ containerPort: 53, hostPort: 53, protocol }));
  const before = withPorts(ports, false);
  const after = withPorts([ports[0], { ...ports[1], hostPort: 54 }], false);
  const patch = strategicPatch(before, after);
  assert.deepEqual(portsAfter(before, patch), after.spec.containers[0].ports);
  const [first] = patch.spec.containers[0].ports;
  assert.deepEqual(first, { $patch: 'replace' });
});

test('one constraint of several is patched by its key', () => {
  const constraint = (/** @type {string} */ topologyKey, /** @type {number} */ maxSkew) => ({
    topologyKey,
    maxSkew,
    whenUnsatisfiable: 'DoNotSchedule',
  });
  const before = podOf({
    topologySpreadConstraints: [constraint('zone', 1), constraint('rack', 1)],
  });
  const after = podOf({
    topologySpreadConstraints: [constraint('zone', 1), constraint('rack', 2)],
  });
  const patch = strategicPatch(before, after);
  assert.deepEqual(patch.spec, {
    topologySpreadConstraints: [{ topologyKey: 'rack', maxSkew: 2 }],
  });
  assert.deepEqual(applyStrategicMergePatch(before, patch, POD), after);
});
