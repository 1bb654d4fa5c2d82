// Goal: a scheduler watches the kinds that kube-scheduler watches with the same feature gates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESOURCES, resourceOf } from '../../../js/src/kubernetes/kinds.js';
import {
  kindOf,
  kindsWatchedWith,
  SCHEDULER_KINDS,
} from '../../../js/src/kubernetes/watched_kinds.js';
import { liveOptions } from '../../../js/src/live/live_options.js';

const RULES = { group: 'resource.k8s.io', version: 'v1beta2', resource: 'devicetaintrules' };
const GROUPS = { group: 'scheduling.k8s.io', version: 'v1alpha2', resource: 'podgroups' };
const WORKLOADS = { ...GROUPS, resource: 'workloads' };

test('feature gates add the kinds that need them', () => {
  for (const [gates, added] of /** @type {[Record<string, boolean>, object[]][]} */ ([
    [{}, []],
    [{ DRADeviceTaintRules: true }, [RULES]],
    [{ DRADeviceTaintRules: false }, []],
    [{ AllBeta: true }, [RULES]],
    [{ AllBeta: true, DRADeviceTaintRules: false }, []],
    [{ AllAlpha: true }, [GROUPS]],
    [{ GenericWorkload: true, GangScheduling: true }, [GROUPS]],
    [{ AllAlpha: true, GenericWorkload: false }, []],
    [{ DRADeviceTaints: true }, []],
  ])) {
    const kinds = kindsWatchedWith(gates);
    assert.deepEqual(kinds, [...SCHEDULER_KINDS, ...added], JSON.stringify(gates));
  }
  assert.equal(kindsWatchedWith(), SCHEDULER_KINDS);
});

test('a live scheduler watches the kinds of its feature gates, unless it is given kinds', () => {
  const client = /** @type {any} */ ({ perform() {}, json() {} });
  const featureGates = { DRADeviceTaintRules: true };
  assert.deepEqual(liveOptions({ client, featureGates }).kinds.at(-1), RULES);
  const [nodes] = SCHEDULER_KINDS;
  assert.deepEqual(liveOptions({ client, featureGates, kinds: [nodes] }).kinds, [nodes]);
});

test('a kind with a gate is one that a server does not serve by default', () => {
  const gated = RESOURCES.filter(({ gate }) => gate);
  assert.deepEqual(gated.map(kindOf), [GROUPS, WORKLOADS, RULES]);
  for (const { version } of gated) assert.match(version, /alpha|beta/);
  const rule = resourceOf({ apiVersion: 'resource.k8s.io/v1beta2', kind: 'DeviceTaintRule' });
  assert.equal(rule?.namespaced, false);
});
