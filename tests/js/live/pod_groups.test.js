// Goal: a live scheduler with the feature gates reads pod groups from an API server, and writes
// their condition. Method: the embedded API server, whose clock the test advances.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../../js/src/client/api_client.js';
import { runScheduler } from '../../../js/src/live.js';
import { DisturbedApiServer } from '../support/disturbed_apiserver.js';
import { ManualClock } from '../support/manual_clock.js';
import { makeNode, makePod, makePodGroup } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const spec = { schedulingGroup: { podGroupName: 'g' } };
const member = (/** @type {string} */ name) =>
  makePod(name, { metadata: { namespace: 'default' }, spec });

for (const [target, start] of Object.entries(TARGETS)) {
  test(`${target}: a gang is bound when its last pod has come`, async () => {
    const { engine } = await start();
    const clock = new ManualClock();
    const featureGates = { GenericWorkload: true, GangScheduling: true };
    const server = new DisturbedApiServer({ clock, featureGates });
    const stop = new AbortController();
    server.put(makeNode('n1', { cpu: '4' }));
    const live = runScheduler({
      client: createApiClient({ baseUrl: 'http://apiserver.test', fetch: server.fetch, clock }),
      engine,
      featureGates,
      leaderElection: false,
      clock,
      random: () => 0.5,
      signal: stop.signal,
    });
    await clock.advance(2000);
    // As kubectl creates it: the API server completes it.
    const { metadata: _, ...group } = makePodGroup('g', { minCount: 3 });
    server.store.create('podgroups', { ...group, metadata: { name: 'g', namespace: 'default' } });
    const [stored] = server.objects('podgroups');
    assert.equal(stored.spec.disruptionMode, undefined, 'of WorkloadAwarePreemption');
    for (const name of ['a', 'b']) server.store.create('pods', member(name));
    await clock.advance(5000);
    const bound = () =>
      server
        .objects('pods')
        .flatMap(({ metadata: { name }, spec: { nodeName } }) => (nodeName ? [name] : []));
    const conditions = () =>
      (server.objects('podgroups')[0].status.conditions ?? []).map(
        (/** @type {any} */ { type, status, reason }) => [type, status, reason],
      );
    assert.deepEqual([bound(), conditions()], [[], []]);
    server.store.create('pods', member('c'));
    await clock.advance(5000);
    stop.abort();
    await live.done;
    assert.deepEqual(bound(), ['a', 'b', 'c']);
    assert.deepEqual(conditions(), [['PodGroupScheduled', 'True', 'Scheduled']]);
  });
}
