// Goal: a body that is not an AdmissionReview v1 is rejected with a Status and a code, and only the
// allowed number of bytes is read. Method: requests with one fault each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { ManualClock } from '../support/manual_clock.js';
import { post, recordedPod, reviewOf, standIn } from './reviews.js';

const good = reviewOf(recordedPod());

/** @param {object} [options] */
function makeHandler(options) {
  const errors = [];
  const cluster = standIn();
  const onError = (error) => errors.push(error);
  const handler = createAdmissionHandler({ cluster, mode: 'deny', onError, ...options });
  return { ...handler, cluster, errors };
}

/** @param {object} changes of the review */
const changed = (changes) => ({ ...good, ...changes });
/** @param {object} changes of its request */
const asking = (changes) => changed({ request: { ...good.request, ...changes } });

/** @type {[string, unknown, RegExp][]} */
const BAD_BODIES = [
  ['no body', '', /not JSON/],
  ['no JSON', '{"kind":', /not JSON/],
  ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), /not JSON/],
  ['half a character', new Uint8Array([0x22, 0xc3]), /not JSON/],
  ['a list', '[]', /not an AdmissionReview/],
  ['null', 'null', /not an AdmissionReview/],
  ['another version', changed({ apiVersion: 'admission.k8s.io/v1beta1' }), /v1beta1/],
  ['another kind', changed({ kind: 'TokenReview' }), /expected an AdmissionReview .*TokenReview/],
  ['no kind', { request: good.request }, /got apiVersion undefined/],
  ['no request', changed({ request: undefined }), /^request: Required value$/],
  ['a request that is a list', changed({ request: [] }), /^request: Required value$/],
  ['no uid', asking({ uid: undefined }), /^request\.uid: Required value$/],
  ['a uid that is a number', asking({ uid: 7 }), /^request\.uid/],
  ['no operation', asking({ operation: '' }), /^request\.operation/],
  ['no kind of the object', asking({ kind: null }), /^request\.kind/],
  ['half a kind', asking({ kind: { kind: 'Pod' } }), /^request\.kind/],
  ['no object', asking({ object: null }), /^request\.object: Required value$/],
  ['an object that is text', asking({ object: 'pod' }), /^request\.object/],
];

test('a body that is not an AdmissionReview v1 gets a 400', async () => {
  const handler = makeHandler();
  for (const [what, body, message] of BAD_BODIES) {
    const answer = await post(handler, body);
    assert.equal(answer.status, 400, what);
    assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/);
    const { kind, status, reason, code } = answer.body;
    assert.deepEqual([kind, status, reason, code], ['Status', 'Failure', 'BadRequest', 400], what);
    assert.match(answer.body.message, message, what);
  }
  assert.deepEqual([handler.cluster.asked, handler.errors], [[], []], 'no cluster was asked');
});

test('other methods and media types have their own codes', async () => {
  const handler = makeHandler();
  const got = await post(handler, '', { method: 'GET' });
  assert.deepEqual([got.status, got.body.reason], [405, 'MethodNotAllowed']);
  assert.equal(got.headers.get('Allow'), 'POST');
  for (const headers of [{}, { 'Content-Type': 'application/yaml' }, { 'Content-Type': 'json' }]) {
    const { status, body } = await post(handler, JSON.stringify(good), { headers });
    assert.deepEqual([status, body.reason], [415, 'UnsupportedMediaType']);
  }
  const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
  assert.equal((await post(handler, good, { headers })).status, 200);
});

test('a body beyond the limit is a 413, and is not read to its end', async () => {
  const size = JSON.stringify(good).length;
  const exact = makeHandler({ maxBodyBytes: size });
  assert.equal((await post(exact, good)).status, 200);
  const short = makeHandler({ maxBodyBytes: size - 1 });
  const { status, body } = await post(short, good);
  assert.deepEqual([status, body.reason], [413, 'RequestEntityTooLarge']);
  assert.match(body.message, new RegExp(`limit is ${size - 1}`));

  let pulls = 0;
  let cancelled = false;
  const endless = new ReadableStream({
    pull(controller) {
      pulls += 1;
      controller.enqueue(new Uint8Array(1 << 20).fill(0x20));
    },
    cancel() {
      cancelled = true;
    },
  });
  const huge = await post(makeHandler(), endless);
  assert.equal(huge.status, 413);
  assert.ok(cancelled && pulls < 12, `${pulls} pieces of 1 MiB`);

  const headers = { 'Content-Type': 'application/json', 'Content-Length': '99999999' };
  const said = await post(makeHandler(), good, { headers });
  assert.equal(said.status, 413, 'its length is said before');
});

test('a body that does not come is a 408 when the time is over', async () => {
  const clock = new ManualClock();
  let cancelled = false;
  const silent = new ReadableStream({
    cancel() {
      cancelled = true;
    },
  });
  const answer = post(makeHandler({ clock, timeoutMs: 3000 }), silent, { query: '?timeout=30s' });
  await clock.advance(2999);
  assert.equal(cancelled, false);
  await clock.advance(1);
  const { status, body } = await answer;
  assert.deepEqual([status, body.reason], [408, 'Timeout']);
  assert.ok(cancelled);
  assert.equal(clock.sleepers, 0);
});

test('the timeout of the query is a duration', async () => {
  const handler = makeHandler();
  for (const query of ['?timeout=', '?timeout=5', '?timeout=soon', '?timeout=0s', '?timeout=-1s']) {
    const { status, body } = await post(handler, good, { query });
    assert.deepEqual([status, body.reason], [400, 'BadRequest'], query);
    assert.match(body.message, /^timeout: Invalid value/);
  }
  for (const query of ['?timeout=10s', '?timeout=1m30s', '?timeout=500ms&x=y', '?x=y'])
    assert.equal((await post(handler, good, { query })).status, 200, query);
});
