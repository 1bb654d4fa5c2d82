// Goal: what reaches the sink does not depend on where a stream's bytes are split. Method: recorded
// streams of a real API server, split in two at every byte; one informer follows them one after the
// other. One byte a write they come over HTTP: see recorded_reads.test.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient, createInformers } from '../../../js/src/informer.js';
import { recorded } from '../support/playback_server.js';
import { bodyOf, distinctFrames, WITHOUT_WATCH_LIST } from '../support/recorded_apiserver.js';

const NODES = { version: 'v1', resource: 'nodes' };
const PODS = { version: 'v1', resource: 'pods' };
const EXPIRED = bodyOf(recorded('watch-rv-expired-410'));

/** A clock on which each failure is long past at the next one, and no watch is idle too long. */
function patientClock() {
  let time = 0;
  return {
    now: () => time,
    sleep(until, signal) {
      if (until - time < 30_000) {
        time = until + 120_001;
        return Promise.resolve();
      }
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
}

/** @param {Buffer} whole @param {number} at where it is cut */
function* halves(whole, at) {
  yield whole.subarray(0, at);
  yield whole.subarray(at);
}

/**
 * @param {Iterator<Uint8Array>} chunks
 * @returns {Response}
 */
function streamed(chunks) {
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body);
}

/**
 * Plays the stream once for every way to cut it; each time the same lines must reach the sink.
 * @param {{ kind: object, name: string, whole: Buffer, cuts: Iterable<Iterator<Uint8Array>>,
 *   isWatchList: boolean }} options
 */
async function playAll({ kind, name, whole, cuts, isWatchList }) {
  const ways = cuts[Symbol.iterator]();
  const stop = new AbortController();
  const list = recorded(`list-${kind.resource}-empty`).response;
  const text = whole.toString('latin1');
  let plays = 0;
  let version = 0;
  let got = '';
  const settlePlay = () => {
    if (plays > 0 && got !== text) stop.abort(new Error(`${name}: play ${plays} differs`));
    plays += 1;
    got = '';
  };
  const fetch = async ({ url }) => {
    const { searchParams } = new URL(url);
    const isStream = searchParams.get('sendInitialEvents') === 'true';
    if (searchParams.get('watch') !== 'true') return Response.json(list.body);
    if (isStream && !isWatchList)
      return Response.json(WITHOUT_WATCH_LIST.response.body, { status: 422 });
    settlePlay();
    const { done, value } = ways.next();
    if (done) stop.abort(new Error('all is played'));
    return streamed(value ?? [][Symbol.iterator]());
  };
  const sink = {
    apply(lines) {
      const part = Buffer.from(lines).toString('latin1');
      if (part.startsWith('{"type":"SYNC_')) return {};
      assert.ok(part.endsWith('\n'));
      got += part;
      if (isWatchList && part.includes('"ERROR"')) return undefined;
      version += 1;
      return { resourceVersion: String(version) };
    },
  };
  const client = createApiClient({ baseUrl: 'http://api', fetch });
  const options = { client, sink, clock: patientClock(), kinds: [kind], signal: stop.signal };
  await createInformers(options).run();
  assert.equal(stop.signal.reason.message, 'all is played');
  return plays - 1;
}

/** @param {Buffer} whole */
function* inTwo(whole) {
  for (let at = 1; at < whole.length; at += 1) yield halves(whole, at);
}

test('a watch, split in two at every byte', async () => {
  const whole = bodyOf(distinctFrames(recorded('watch-nodes')));
  const cuts = inTwo(whole);
  const plays = await playAll({ kind: NODES, name: 'nodes', whole, cuts, isWatchList: false });
  assert.equal(plays, whole.length - 1);
});

test('a streamed list and what follows it, split in two at every byte', async () => {
  const exchange = recorded('watchlist-pods-initial');
  const first = { ...exchange, frames: exchange.frames.slice(0, 3) };
  // With the version expired at its end, all is streamed anew.
  const whole = Buffer.concat([bodyOf(first), EXPIRED]);
  const cuts = inTwo(whole);
  const plays = await playAll({ kind: PODS, name: 'pods', whole, cuts, isWatchList: true });
  assert.equal(plays, whole.length - 1);
});
