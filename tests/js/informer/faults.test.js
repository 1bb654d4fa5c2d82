// Goal: whatever goes wrong, the sink has the server's state in the end, and no object of it ever
// goes back in time. Method: an API server that fails by chance, from a seed, for an hour of its
// clock; then it is well again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/index.js';
import { createApiClient, createInformers } from '../../../js/src/informer.js';
import { FaultyApiserver, seeded } from '../support/faulty_apiserver.js';
import { RecordingSink } from '../support/recording_sink.js';
import { settle, steppedClock } from '../support/stepped_clock.js';

const NODES = { version: 'v1', resource: 'nodes' };

/** Notes objects that become older than they were. */
class WatchfulSink extends RecordingSink {
  /** @type {string[]} */
  regressions = [];

  apply(bytes, options) {
    const before = this.versions('nodes');
    const result = super.apply(bytes, options);
    for (const [name, version] of Object.entries(this.versions('nodes')))
      if (Number(version) < Number(before[name])) this.regressions.push(`${name}@${version}`);
    return result;
  }
}

/** @param {number} seed @param {'served' | 'refused' | 'ignored'} initialEvents */
async function play(seed, initialEvents) {
  const random = seeded(seed);
  const clock = steppedClock(0);
  const server = new FaultyApiserver({ random, clock });
  Object.assign(server, { initialEvents, chance: 0.03 });
  const sink = new WatchfulSink();
  const stop = new AbortController();
  const client = createApiClient({
    ...{ baseUrl: 'http://api', fetch: server.fetch, clock: virtualClock(0) },
  });
  for (let count = 0; count < 12; count += 1) server.write(`n${count}`, false);
  const options = { client, sink, clock, random, kinds: [NODES], signal: stop.signal };
  const informers = createInformers(options);
  const run = informers.run();
  for (let step = 0; step < 150; step += 1) {
    for (let writes = random() * 6; writes > 1; writes -= 1)
      server.write(`n${Math.floor(random() * 20)}`, random() < 0.3);
    if (random() < 0.1) server.compact(Math.floor(random() * 8));
    await clock.advance(random() < 0.9 ? random() * 2000 : random() * 200_000);
  }
  server.chance = 0;
  await clock.advance(1_500_000);
  const [status] = informers.status();
  stop.abort();
  await run;
  await settle();
  assert.deepEqual(sink.versions('nodes'), server.state, `seed ${seed}: ${JSON.stringify(status)}`);
  assert.deepEqual(sink.regressions, [], `seed ${seed}`);
  return { relists: status.relists, faults: server.faults };
}

for (const initialEvents of /** @type {const} */ (['served', 'refused', 'ignored']))
  test(`a server that fails at everything; initial events are ${initialEvents}`, async () => {
    const seen = new Set();
    let relists = 0;
    for (let seed = 1; seed <= 5; seed += 1) {
      const played = await play(seed, initialEvents);
      relists += played.relists;
      for (const fault of played.faults.keys()) seen.add(fault);
    }
    assert.ok(relists > 5, `${relists} relists`);
    for (const fault of ['silence', 'tear', 'half an event', 'Forbidden', 'NotFound', 'end'])
      assert.ok(seen.has(fault), fault);
  });
