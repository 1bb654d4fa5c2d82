// Goal: of all candidates for a Lease at most one leads, and one does when faults end, with any
// fate of requests and clocks. Method: electors over one embedded API server, on a clock that the
// test moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../../js/src/kubernetes/errors.js';
import { createLeaderElector } from '../../../js/src/live/leader_elector.js';
import { LeaderElectionLost } from '../../../js/src/live/leader_election_lost.js';
import { LeaseServer } from './lease_server.js';
import { ManualClock, settle } from '../support/manual_clock.js';

const SECOND = 1000;
const LOCK = { namespace: 'kube-system', name: 'kube-scheduler' };
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

/**
 * One candidate that works, once it leads, until its signal aborts.
 * @param {ManualClock} clock
 * @param {LeaseServer} server
 * @param {any} options
 */
function makeCandidate(clock, server, { identity, steady = clock, ...options }) {
  const seen = {
    leads: false,
    /** @type {string[]} */ leaders: [],
    /** @type {string[]} */ events: [],
    /** @type {string[]} */ said: [],
    stopped: 0,
    /** @type {unknown} */ reason: undefined,
  };
  const elector = createLeaderElector({
    client: server.client(identity),
    lock: LOCK,
    identity,
    clock,
    steady,
    random: () => 0.5,
    onStartedLeading: (/** @type {AbortSignal} */ signal) =>
      new Promise((resolve) => {
        seen.leads = true;
        signal.addEventListener('abort', () => {
          seen.leads = false;
          seen.reason = signal.reason;
          resolve(undefined);
        });
      }),
    onStoppedLeading: () => (seen.stopped += 1),
    onNewLeader: (leader) => seen.leaders.push(leader),
    recordEvent: (message) => seen.events.push(message),
    onLog: ({ message }) => seen.said.push(message),
    ...options,
  });
  const stop = new AbortController();
  const done = elector.run(stop.signal);
  const ended = done.then(
    () => 'ended',
    (error) => error,
  );
  return { elector, seen, stop, done, ended };
}

function makeWorld() {
  const clock = new ManualClock();
  const server = new LeaseServer(clock);
  const join = (/** @type {string} */ identity, options = {}) =>
    makeCandidate(clock, server, { identity, ...options });
  return { clock, server, join };
}

test('requests are those of client-go, from the first to the release', async () => {
  const { clock, server, join } = makeWorld();
  const { seen, stop, ended } = join('host_uid');
  await clock.advance(2 * SECOND);
  stop.abort();
  assert.equal(await ended, 'ended');
  const spec = {
    holderIdentity: 'host_uid',
    leaseDurationSeconds: 15,
    acquireTime: '2026-03-01T00:00:00.000000Z',
    renewTime: '2026-03-01T00:00:00.000000Z',
    leaseTransitions: 0,
  };
  const metadata = { name: 'kube-scheduler', namespace: 'kube-system' };
  const head = { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1' };
  // A candidate sends the metadata that it has read; an unchanged lease keeps its version.
  const stored = (/** @type {number} */ at) => server.written[at].lease.metadata;
  const later = '2026-03-01T00:00:02.000000Z';
  const one = { who: 'host_uid', path: `${LEASES}/kube-scheduler?timeout=5s` };
  const put = (/** @type {object} */ body) => ({
    ...one,
    method: 'PUT',
    body: { ...head, ...body },
  });
  assert.deepEqual(server.asked, [
    { ...one, method: 'GET' },
    {
      who: 'host_uid',
      method: 'POST',
      path: `${LEASES}?timeout=5s`,
      body: { ...head, metadata, spec },
    },
    put({ metadata: stored(0), spec }),
    put({ metadata: stored(0), spec: { ...spec, renewTime: later } }),
    { ...one, method: 'GET' },
    put({
      metadata: stored(1),
      spec: {
        ...spec,
        holderIdentity: '',
        leaseDurationSeconds: 1,
        acquireTime: later,
        renewTime: later,
      },
    }),
  ]);
  assert.deepEqual(seen.events, ['host_uid became leader', 'host_uid stopped leading']);
  assert.deepEqual(seen.leaders, ['host_uid']);
  assert.equal(seen.stopped, 1);
  assert.equal(clock.sleepers, 0);
});

test('the bodies have their fields in the order of Go', async () => {
  const { clock, server, join } = makeWorld();
  const { stop, ended } = join('host_uid');
  await clock.advance(0);
  stop.abort();
  await ended;
  const created = server.asked.find(({ method }) => method === 'POST');
  assert.equal(
    JSON.stringify(created?.body),
    '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"kube-scheduler",' +
      '"namespace":"kube-system"},"spec":{"holderIdentity":"host_uid","leaseDurationSeconds":15,' +
      '"acquireTime":"2026-03-01T00:00:00.000000Z","renewTime":"2026-03-01T00:00:00.000000Z",' +
      '"leaseTransitions":0}}',
  );
});

test('a released lease goes to the next one at its next try', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a');
  await clock.advance(SECOND);
  const b = join('b');
  await clock.advance(20 * SECOND);
  assert.deepEqual([a.seen.leads, b.seen.leads], [true, false]);
  a.stop.abort();
  await a.ended;
  // Two seconds, and as much again times 1.2 by lot, which here is a half.
  await clock.advance(3.2 * SECOND);
  assert.deepEqual([a.seen.leads, b.seen.leads], [false, true]);
  assert.equal(server.lease.spec.leaseTransitions, 1);
  assert.deepEqual(b.seen.leaders, ['a', 'b']);
  b.stop.abort();
  await b.ended;
});

test('the lease of a leader that vanished is free 15 s after it was last seen', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a');
  const b = join('b', { random: () => 0 });
  await clock.advance(9 * SECOND);
  assert.deepEqual([a.seen.leads, b.seen.leads], [true, false]);
  const last = clock.now();
  server.faults = ({ who }) => (who === 'a' ? { lost: 'before' } : {});
  await clock.advance(13 * SECOND);
  assert.equal(b.seen.leads, false);
  assert.ok((await a.ended) instanceof LeaderElectionLost);
  await clock.advance(6 * SECOND);
  assert.equal(b.seen.leads, true);
  const { time: taken } = server.written.filter(
    ({ time, lease }) => time > last && lease.spec.holderIdentity === 'b',
  )[0];
  // The last renewal was at 8 s, b looked at 8 s at the earliest, and looks every 2 s.
  assert.ok(taken - last >= 14 * SECOND && taken - last <= 17 * SECOND, String(taken - last));
  b.stop.abort();
  await b.ended;
});

test('a leader survives an API server that is away until its renew deadline', async () => {
  for (const [away, isLost] of /** @type {[number, boolean][]} */ ([
    [8 * SECOND, false],
    [13 * SECOND, true],
  ])) {
    const { clock, server, join } = makeWorld();
    const a = join('a');
    await clock.advance(SECOND);
    server.faults = () => ({ lost: 'before' });
    await clock.advance(away);
    server.faults = () => ({});
    await clock.advance(10 * SECOND);
    assert.equal(a.seen.leads, !isLost, `${away} ms`);
    a.stop.abort();
    const end = await a.ended;
    if (!isLost) {
      assert.equal(end, 'ended');
      continue;
    }
    assert.ok(end instanceof LeaderElectionLost);
    assert.equal(a.seen.reason, end);
    assert.equal(end.code, 'LeaderElectionLost');
    assert.deepEqual([end.lock, end.holder], ['kube-system/kube-scheduler', 'a']);
    assert.ok(a.seen.said.includes('Leaderelection lost'));
  }
});

test('an answer that comes late does not make the lease longer', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a');
  await clock.advance(100);
  // b looks right after each renewal.
  const b = join('b', { random: () => 0 });
  await clock.advance(SECOND);
  // One more renewal is written at 2 s and answered 4.9 s later; then a is cut off.
  let isCutOff = false;
  server.faults = ({ who, method }) => {
    if (who === 'b') return {};
    if (isCutOff) return { lost: 'before' };
    isCutOff = method === 'PUT';
    return { after: 4900 };
  };
  for (let tenth = 0; tenth < 200; tenth += 1) {
    await clock.advance(100);
    assert.ok(!(a.seen.leads && b.seen.leads), `both lead ${tenth / 10} s later`);
  }
  assert.deepEqual([a.seen.leads, b.seen.leads], [false, true]);
  b.stop.abort();
  await b.ended;
});

test('a renewal that conflicts reads the lease, and renews it', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a');
  await clock.advance(SECOND);
  server.edit({});
  await clock.advance(2 * SECOND);
  assert.equal(a.seen.leads, true);
  assert.equal(a.elector.slowPaths, 1);
  assert.deepEqual(
    server.asked.slice(-3).map(({ method }) => method),
    ['PUT', 'GET', 'PUT'],
  );
  assert.equal(server.lease.spec.acquireTime, '2026-03-01T00:00:00.000000Z');
  a.stop.abort();
  await a.ended;
});

test('a leader that reads another holder stops at once, and does not write', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a');
  await clock.advance(SECOND);
  server.edit({ holderIdentity: 'b' });
  await clock.advance(SECOND);
  const end = await a.ended;
  assert.ok(end instanceof LeaderElectionLost);
  assert.equal(end.holder, 'b');
  assert.equal(server.lease.spec.holderIdentity, 'b');
  assert.equal(a.elector.isLeader(), false);
  assert.deepEqual(a.seen.leaders, ['a', 'b']);
});

test('a lease that is deleted is created again', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a');
  await clock.advance(SECOND);
  server.delete();
  await clock.advance(2 * SECOND);
  assert.equal(a.seen.leads, true);
  assert.equal(server.lease.spec.holderIdentity, 'a');
  a.stop.abort();
  await a.ended;
});

test('the lease is renewed while the work ends, and released afterwards', async () => {
  const { clock, server, join } = makeWorld();
  let finish = () => {};
  const a = join('a', {
    onStartedLeading: () =>
      new Promise((resolve) => {
        finish = () => resolve(undefined);
      }),
  });
  await clock.advance(SECOND);
  a.stop.abort();
  await clock.advance(20 * SECOND);
  assert.equal(server.lease.spec.holderIdentity, 'a');
  assert.equal(server.lease.spec.renewTime, '2026-03-01T00:00:20.000000Z');
  finish();
  assert.equal(await a.ended, 'ended');
  assert.equal(server.lease.spec.holderIdentity, '');
});

test('work that fails releases the lease, and rejects run', async () => {
  const { clock, server, join } = makeWorld();
  const fault = new Error('out of order');
  const a = join('a', { onStartedLeading: () => Promise.reject(fault) });
  await clock.advance(SECOND);
  assert.equal(await a.ended, fault);
  assert.equal(server.lease.spec.holderIdentity, '');
});

test('without releaseOnCancel the lease stays until it expires', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a', { releaseOnCancel: false });
  await clock.advance(SECOND);
  a.stop.abort();
  await a.ended;
  assert.equal(server.lease.spec.holderIdentity, 'a');
});

test('a lease that was acquired during the signal is released', async () => {
  const { clock, server, join } = makeWorld();
  server.faults = ({ method }) => (method === 'POST' ? { after: SECOND } : {});
  const a = join('a');
  await settle();
  a.stop.abort();
  await settle();
  assert.equal(await a.ended, 'ended');
  assert.equal(server.lease.spec.holderIdentity, '');
  assert.equal(a.seen.stopped, 1);
  assert.equal(a.seen.leads, false);
  await clock.advance(SECOND);
});

test('a release without an answer ends with its timeout', async () => {
  const { clock, server, join } = makeWorld();
  const a = join('a', { releaseTimeout: SECOND });
  await clock.advance(SECOND);
  server.faults = () => ({ before: 60 * SECOND });
  a.stop.abort();
  await clock.advance(SECOND);
  assert.equal(await a.ended, 'ended');
  assert.ok(a.seen.said.includes('Failed to release lease'));
});

test('candidates wait by their own steady clock, at any wall clock', async () => {
  const { clock, server, join } = makeWorld();
  const hour = 3_600 * SECOND;
  const a = join('a', { clock: clock.skewed(-hour), steady: clock.skewed(-hour) });
  await clock.advance(SECOND);
  const b = join('b', { clock: clock.skewed(hour), steady: clock.skewed(7 * hour) });
  await clock.advance(60 * SECOND);
  assert.deepEqual([a.seen.leads, b.seen.leads], [true, false]);
  server.faults = ({ who }) => (who === 'a' ? { lost: 'before' } : {});
  await clock.advance(30 * SECOND);
  assert.deepEqual([a.seen.leads, b.seen.leads], [false, true]);
  assert.equal(server.lease.spec.renewTime.slice(0, 13), '2026-03-01T01');
  b.stop.abort();
  await b.ended;
});

test('a change of the time of day changes nothing', async () => {
  const { clock, server, join } = makeWorld();
  let offset = 0;
  const day = { now: () => clock.now() + offset, sleep: clock.sleep };
  const a = join('a', { clock: day });
  await clock.advance(SECOND);
  const b = join('b', { clock: day });
  await clock.advance(5 * SECOND);
  offset = 86_400 * SECOND;
  await clock.advance(5 * SECOND);
  offset = -86_400 * SECOND;
  await clock.advance(5 * SECOND);
  assert.deepEqual([a.seen.leads, b.seen.leads], [true, false]);
  assert.match(server.lease.spec.renewTime, /^2026-02-28T/);
  for (const { stop, ended } of [a, b]) {
    stop.abort();
    await ended;
  }
});

test('a process that stood still is no leader before its next request', async () => {
  const { clock, server, join } = makeWorld();
  let stall = 0;
  const steady = { now: () => clock.now() + stall, sleep: clock.sleep };
  const a = join('a', { steady });
  await clock.advance(SECOND);
  assert.equal(a.elector.isLeader(), true);
  stall = 14 * SECOND;
  assert.equal(a.elector.isLeader(), false);
  assert.equal(a.seen.leads, true);
  assert.equal(server.asked.length, 3);
  a.stop.abort();
  await a.ended;
});

test('health: a leader that neither renews nor stops is unhealthy', async () => {
  const { clock, join } = makeWorld();
  let stall = 0;
  const steady = { now: () => clock.now() + stall, sleep: clock.sleep };
  const a = join('a', { steady });
  assert.equal(a.elector.check(20 * SECOND), undefined);
  await clock.advance(0);
  stall = 35 * SECOND;
  assert.equal(a.elector.check(20 * SECOND), undefined);
  stall += 1;
  assert.equal(
    a.elector.check(20 * SECOND),
    'failed election to renew leadership on lease kube-scheduler',
  );
  a.stop.abort();
  await a.ended;
});

test('invalid options are rejected in client-go’s words', () => {
  const good = {
    client: new LeaseServer(new ManualClock()).client('a'),
    lock: LOCK,
    identity: 'a',
    onStartedLeading: () => {},
  };
  for (const [options, message] of /** @type {[object, RegExp][]} */ ([
    [{ leaseDuration: 10_000 }, /^leaseDuration must be greater than renewDeadline$/],
    [{ retryPeriod: 9000 }, /^renewDeadline must be greater than retryPeriod\*JitterFactor$/],
    [{ retryPeriod: 0 }, /^retryPeriod must be greater than zero$/],
    [{ leaseDuration: 900, renewDeadline: 800, retryPeriod: 1 }, /at least a second/],
    ...['leaseDuration', 'renewDeadline', 'retryPeriod'].flatMap((name) =>
      [NaN, Infinity, '5000', null].map((value) => [
        { [name]: value },
        new RegExp(`^${name} must be a number of milliseconds$`),
      ]),
    ),
    ...[NaN, -1, '5', null].map((releaseTimeout) => [
      { releaseTimeout },
      /^releaseTimeout must be milliseconds from 0$/,
    ]),
    [{ identity: '' }, /^Lock identity is empty$/],
    [{ lock: { namespace: '', name: 'x' } }, /namespace and a name/],
    [{ onStartedLeading: undefined }, /^OnStartedLeading callback must not be nil$/],
  ])) {
    assert.throws(
      () => createLeaderElector(/** @type {any} */ ({ ...good, ...options })),
      (error) => error instanceof ConfigurationError && message.test(error.message),
      String(message),
    );
  }
});

/** Numbers by a seed, 0 ≤ x < 1. @param {number} seed */
function lots(seed) {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

// Goal: under any faults there is never more than one leader, and there is one again when they end.
// Method: by seed, requests that are late, lost before or after they did their work; candidates
// that come, leave, and come again.
test('never two leaders, and work goes on, in 60 seeded storms', async () => {
  let changes = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const { clock, server, join } = makeWorld();
    const random = lots(seed);
    const storm = () => {
      const kind = random();
      if (kind < 0.15) return { lost: /** @type {const} */ ('before'), before: random() * 8000 };
      if (kind < 0.3) return { lost: /** @type {const} */ ('after'), after: random() * 8000 };
      return { before: random() * random() * 7000, after: random() * random() * 7000 };
    };
    let isStormy = false;
    server.faults = () => (isStormy ? storm() : { after: random() * 100 });
    let count = 0;
    /** @type {ReturnType<typeof makeCandidate>[]} */
    const candidates = [];
    const enter = () => {
      count += 1;
      const skewed = clock.skewed(Math.round((random() - 0.5) * 1e9));
      candidates.push(join(`c${count}`, { clock: skewed, steady: skewed, random }));
    };
    for (let step = 0; step < 150; step += 1) {
      isStormy = step % 50 < 35;
      const alive = candidates.filter(({ seen }) => seen.stopped === 0);
      if (alive.length < 3) enter();
      else if (random() < 0.02) alive[Math.floor(random() * alive.length)].stop.abort();
      await clock.advance(1000);
      const leading = candidates.filter(({ seen }) => seen.leads);
      assert.ok(leading.length <= 1, `seed ${seed}: ${leading.length} leaders at ${step} s`);
      const isCalm = step % 50 === 49;
      if (isCalm && leading.length === 0) await clock.advance(25_000);
      const leads = candidates.filter(({ seen }) => seen.leads).length;
      if (isCalm) assert.equal(leads, 1, `seed ${seed}: no leader after ${step} s`);
    }
    changes += candidates.filter(({ seen }) => seen.events.length > 0).length;
    for (const { stop } of candidates) stop.abort();
    await clock.advance(30_000);
    await Promise.all(candidates.map(({ ended }) => ended));
  }
  assert.ok(changes > 150, `${changes} changes of the leader`);
});
