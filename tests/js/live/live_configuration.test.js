// Goal: of the configuration the live scheduler reads what kube-scheduler's server reads of it, and
// leaves the rest as it was given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../../js/src/kubernetes/errors.js';
import { liveConfiguration } from '../../../js/src/live/live_configuration.js';

const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

test('without a configuration all is kube-scheduler’s', () => {
  assert.deepEqual(liveConfiguration({}), {
    configuration: '',
    firstScheduler: 'default-scheduler',
    election: {
      lock: { namespace: 'kube-system', name: 'kube-scheduler' },
      leaseDuration: 15_000,
      renewDeadline: 10_000,
      retryPeriod: 2000,
    },
    delayCacheUntilActive: false,
    rate: undefined,
    extenderBindUrls: [],
  });
});

test('options take precedence over the configuration, and it over defaults', () => {
  const configuration = JSON.stringify({
    ...head,
    profiles: [{ schedulerName: 'one' }, { schedulerName: 'two' }],
    delayCacheUntilActive: true,
    leaderElection: { leaseDuration: '1m', renewDeadline: '40s', resourceName: 'one' },
    clientConnection: { qps: 20 },
    extenders: [
      { urlPrefix: 'http://a/x//', bindVerb: 'bind' },
      { urlPrefix: 'http://b', filterVerb: 'filter' },
    ],
  });
  const leaderElection = { leaseDuration: 90_000, retryPeriod: '5s', resourceNamespace: 'default' };
  const read = liveConfiguration({ configuration, leaderElection });
  assert.equal(read.configuration, configuration, 'the text, character for character');
  assert.equal(read.firstScheduler, 'one');
  assert.deepEqual(read.election, {
    lock: { namespace: 'default', name: 'one' },
    leaseDuration: 90_000,
    renewDeadline: 40_000,
    retryPeriod: 5000,
  });
  assert.equal(read.delayCacheUntilActive, true);
  assert.deepEqual(read.rate, { qps: 20, burst: 100 });
  assert.deepEqual(read.extenderBindUrls, ['http://a/x/bind']);
  const bytes = new TextEncoder().encode(configuration);
  assert.deepEqual(liveConfiguration({ configuration: bytes, leaderElection }), {
    ...read,
    configuration: bytes,
  });
});

test('a name is given to the one profile there is, and to its lease', () => {
  const named = liveConfiguration({ schedulerName: 'stowage' });
  assert.deepEqual(named.configuration, { ...head, profiles: [{ schedulerName: 'stowage' }] });
  assert.equal(named.firstScheduler, 'stowage');
  assert.equal(named.election?.lock.name, 'stowage');
  const percentageOfNodesToScore = 7;
  const configuration = { ...head, profiles: [{ schedulerName: 'x', percentageOfNodesToScore }] };
  const renamed = liveConfiguration({
    configuration,
    schedulerName: 'stowage',
    leaderElection: { resourceName: 'lock' },
  });
  assert.deepEqual(renamed.configuration, {
    ...head,
    profiles: [{ schedulerName: 'stowage', percentageOfNodesToScore }],
  });
  assert.equal(renamed.election?.lock.name, 'lock');
  const two = { ...head, profiles: [{ schedulerName: 'a' }, { schedulerName: 'b' }] };
  assert.throws(
    () => liveConfiguration({ configuration: two, schedulerName: 'stowage' }),
    (error) => error instanceof ConfigurationError && /has 2 profiles/.test(error.message),
  );
});

test('the lock of the election, and when there is none', () => {
  const off = { ...head, leaderElection: { leaderElect: false } };
  const delayed = { ...head, delayCacheUntilActive: true };
  for (const [options, isElected] of /** @type {[any, boolean][]} */ ([
    [{}, true],
    [{ configuration: off }, false],
    [{ configuration: off, leaderElection: true }, true],
    [{ configuration: off, leaderElection: { retryPeriod: '1s' } }, false],
    [{ leaderElection: false }, false],
    [{ dryRun: true }, false],
    [{ dryRun: true, leaderElection: false }, false],
  ]))
    assert.equal(
      liveConfiguration(options).election !== undefined,
      isElected,
      JSON.stringify(options),
    );
  assert.throws(
    () => liveConfiguration({ dryRun: true, leaderElection: true }),
    /a dry run writes nothing, and so holds no lease/,
  );
  assert.equal(
    liveConfiguration({ configuration: delayed, leaderElection: false }).delayCacheUntilActive,
    false,
  );
});

test('an invalid configuration is left to the engine', () => {
  for (const configuration of ['{', '[]', '"x"', 'null', new Uint8Array([0xff])]) {
    const read = liveConfiguration({ configuration });
    assert.equal(read.configuration, configuration);
    assert.equal(read.firstScheduler, 'default-scheduler');
  }
  const leaderElection = { leaseDuration: 'soon' };
  assert.throws(
    () => liveConfiguration({ configuration: { ...head, leaderElection } }),
    /^ConfigurationError: leaderElection.leaseDuration: Invalid value: "soon"/,
  );
});
