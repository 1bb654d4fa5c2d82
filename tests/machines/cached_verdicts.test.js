/**
 * Goal: cached verdicts on pods with claims change speed only. Method: seeded changes of a cluster
 * of real machines (pods of few templates, claims by name, devices that others take, slices,
 * taint rules, classes, nodes, a pool for all nodes), decided without the verdict cache and in each
 * of its modes; every record is equal.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { randomFor } from '../sim/random.js';
import { encodeLines, VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { loadTarget } from '../support/targets.js';
import { makeCluster, podOf, templatesOf } from './cluster.js';
import { deviceClass, RESOURCE_VERSION, selectorsOf } from './device_objects.js';
import { MACHINES } from './machines.js';
import { WORKLOADS } from './workloads.js';

/** @import { KubernetesObject } from '../../js/src/index.js' */
/** @typedef {{ type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject }} Event */

const SEEDS = 20;
const STEPS = 80;
const NODES_OF_MACHINE = 2;
const TEMPLATES = 3;
const STEP_US = 2_000_000;

const gates = { DRADeviceTaintRules: true, DRAConsumableCapacity: true };
/** Workloads that any node may run, as often as its devices suffice. */
const workloads = WORKLOADS.filter(({ error, pods }) => !error && !pods);
const shared = deviceClass('shared-pool', `device.driver == 'shared.example.com'`);
const sharedWorkload = {
  name: 'of-shared-pool',
  requests: [{ name: 'one', class: 'shared-pool' }],
  fits: {},
};

/** @param {number} generation @returns {KubernetesObject} */
function poolForAll(generation) {
  return {
    apiVersion: RESOURCE_VERSION,
    kind: 'ResourceSlice',
    metadata: { name: 'shared-pool', uid: 'shared-pool' },
    spec: {
      driver: 'shared.example.com',
      allNodes: true,
      pool: { name: 'shared', generation, resourceSliceCount: 1 },
      devices: Array.from({ length: 6 }, (_, index) => ({ name: `device-${index}` })),
    },
  };
}

/** The changes of a cluster, each with the events of a step. */
class Changes {
  #random;
  /** @type {KubernetesObject[]} */
  #pods = [];
  #count = 0;
  #cluster;
  #workloads;

  /** @param {number} seed */
  constructor(seed) {
    this.#random = randomFor('cached verdicts', seed);
    const chosen = Array.from({ length: TEMPLATES }, () => this.#pick(workloads));
    // Where a pool for all nodes is in use, verdicts are cached seldom.
    const ofShared = seed % 4 === 0 ? [sharedWorkload] : [];
    this.#workloads = /** @type {any[]} */ ([...new Set(chosen), ...ofShared]);
    const used = new Set(chosen.flatMap(({ fits }) => Object.keys(fits)));
    const machines = MACHINES.filter(({ name }) => used.has(name));
    this.#cluster = makeCluster({ seed, machines, nodesOf: () => NODES_OF_MACHINE });
  }

  /** @returns {Event[]} */
  begin() {
    const templates = this.#workloads.flatMap((workload) => templatesOf(workload));
    const objects = [...this.#cluster, shared, poolForAll(1), ...templates];
    return objects.map((object) => ({ type: 'ADDED', object }));
  }

  /** @returns {Event[]} */
  next() {
    switch (this.#random.below(14)) {
      case 0:
        return this.#deletedPods();
      case 1:
        return [this.#changedSlice()];
      case 2:
        return [this.#changedNode()];
      case 3:
        return [this.#rule()];
      case 4:
        return [{ type: 'MODIFIED', object: poolForAll(this.#count) }];
      case 5:
        return [this.#changedClass()];
      case 6:
      case 7:
        return [this.#takenElsewhere()];
      case 8:
        return this.#podsOfOneClaim();
      default:
        return this.#newPods();
    }
  }

  /** @template T @param {readonly T[]} list */
  #pick(list) {
    return list[this.#random.below(list.length)];
  }

  #newPods() {
    const workload = this.#pick(this.#workloads);
    const count = 1 + this.#random.below(5);
    return Array.from({ length: count }, () => {
      const object = podOf(workload, ++this.#count);
      this.#pods.push(object);
      return /** @type {Event} */ ({ type: 'ADDED', object });
    });
  }

  /** A claim of another scheduler has a device, or has it no longer. @returns {Event} */
  #takenElsewhere() {
    const { metadata, spec } = this.#slice();
    const isNamed = this.#random.below(3) === 0;
    const claim = isNamed ? this.#namedClaim() : this.#claim(metadata.name, {});
    const devices = (spec.devices ?? []).slice(0, isNamed ? 1 : undefined);
    const results = devices.map((/** @type {any} */ { name: device }) => ({
      request: 'one',
      driver: spec.driver,
      pool: spec.pool.name,
      device,
    }));
    const allocated = { ...claim, status: { allocation: { devices: { results } } } };
    if (isNamed) return { type: 'MODIFIED', object: this.#random.below(2) ? allocated : claim };
    return { type: this.#random.below(3) === 0 ? 'DELETED' : 'ADDED', object: allocated };
  }

  /** @param {string} name @param {object} devices @returns {KubernetesObject} */
  #claim(name, devices) {
    return {
      apiVersion: RESOURCE_VERSION,
      kind: 'ResourceClaim',
      metadata: { name, namespace: 'default', uid: name },
      spec: { devices },
    };
  }

  #namedClaim() {
    const [template] = templatesOf(this.#workloads[0]);
    const { devices } = /** @type {any} */ (template ?? templatesOf(sharedWorkload)[0]).spec.spec;
    return this.#claim('named', devices);
  }

  /** @returns {Event[]} */
  #podsOfOneClaim() {
    const { metadata, spec, ...pod } = /** @type {any} */ (podOf(sharedWorkload, 0));
    const resourceClaims = [{ name: 'devices', resourceClaimName: 'named' }];
    const pods = Array.from({ length: 2 }, () => {
      const name = `of-named-${++this.#count}`;
      return {
        ...pod,
        metadata: { ...metadata, name, uid: name },
        spec: { ...spec, resourceClaims },
      };
    });
    this.#pods.push(...pods);
    const events = pods.map((object) => /** @type {Event} */ ({ type: 'ADDED', object }));
    if (this.#random.below(2) === 0) events.unshift({ type: 'ADDED', object: this.#namedClaim() });
    return events;
  }

  #deletedPods() {
    const gone = this.#pods.filter(() => this.#random.below(4) === 0);
    this.#pods = this.#pods.filter((pod) => !gone.includes(pod));
    return gone.map((object) => /** @type {Event} */ ({ type: 'DELETED', object }));
  }

  /**
   * @param {string} kind
   * @param {(object: any) => void} change
   * @param {(object: KubernetesObject) => boolean} [isWanted]
   * @returns {Event}
   */
  #changed(kind, change, isWanted = () => true) {
    const candidates = this.#cluster.filter((one) => one.kind === kind && isWanted(one));
    const object = structuredClone(this.#pick(candidates));
    change(object);
    return { type: 'MODIFIED', object };
  }

  /** @returns {any} */
  #slice() {
    return this.#pick(this.#cluster.filter(({ kind }) => kind === 'ResourceSlice'));
  }

  #changedSlice() {
    return this.#changed('ResourceSlice', ({ spec }) => {
      if (this.#random.below(3) === 0) spec.pool.generation += 1;
      if (this.#random.below(3) === 0) spec.devices = spec.devices?.slice(0, 1);
      else if (this.#random.below(2) === 0) {
        for (const device of spec.devices ?? []) {
          device.taints = [{ key: 'broken', effect: 'NoSchedule' }];
        }
      }
    });
  }

  #changedNode() {
    return this.#changed('Node', (node) => {
      node.metadata.labels.step = String(++this.#count);
      if (this.#random.below(2) === 0) node.spec = { unschedulable: true };
    });
  }

  #changedClass() {
    const used = new Set(JSON.stringify(this.#workloads).match(/[a-z.-]+/g));
    return this.#changed(
      'DeviceClass',
      ({ spec }) => {
        if (this.#random.below(2) === 0) delete spec.extendedResourceName;
        if (this.#random.below(2) === 0) spec.selectors = selectorsOf(['false']);
      },
      ({ metadata }) => used.has(metadata.name),
    );
  }

  /** @returns {Event} */
  #rule() {
    const type = this.#random.below(3) === 0 ? 'DELETED' : 'ADDED';
    const { driver, pool } = this.#slice().spec;
    return {
      type,
      object: {
        apiVersion: 'resource.k8s.io/v1beta2',
        kind: 'DeviceTaintRule',
        metadata: { name: 'rule', uid: 'rule' },
        spec: {
          deviceSelector: { driver, pool: pool.name },
          taint: { key: 'under-repair', effect: 'NoSchedule' },
        },
      },
    };
  }
}

/**
 * The records of all steps, and how often a node was chosen.
 * @param {number} seed @param {string} verdictCache
 */
async function recordsOf(seed, verdictCache) {
  const engine = await loadTarget('native');
  const scheduler = engine.createScheduler({
    seed,
    verdictCache: /** @type {any} */ (verdictCache),
    featureGates: gates,
    tieBreak: 'random',
    detail: 'summary',
    configuration: {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      percentageOfNodesToScore: seed % 2 === 0 ? 100 : 60,
    },
  });
  const changes = new Changes(seed);
  const lines = [];
  try {
    scheduler.applyBytes(encodeLines(changes.begin()), 0);
    for (let step = 1; step <= STEPS; ++step) {
      scheduler.applyBytes(encodeLines(changes.next()), step * STEP_US);
      lines.push(new TextDecoder().decode(scheduler.runBytes(step * STEP_US, 1000)));
    }
  } finally {
    scheduler.dispose();
  }
  return lines;
}

/** @param {string[]} lines @param {RegExp} pattern */
function countOf(lines, pattern) {
  return lines.reduce((sum, line) => sum + (line.match(pattern)?.length ?? 0), 0);
}

for (let seed = 1; seed <= SEEDS; ++seed) {
  test(`seed ${seed}: the cache's modes agree with decisions without it`, async () => {
    const plain = await recordsOf(seed, 'off');
    assert.ok(countOf(plain, /"result":"scheduled"/g) > 10);
    assert.ok(countOf(plain, /"claims":\{/g) > 5);
    for (const mode of VERDICT_CACHE_MODES.filter((name) => name !== 'off')) {
      assert.deepEqual(await recordsOf(seed, mode), plain, mode);
    }
  });
}
