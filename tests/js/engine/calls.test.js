// Goal: calls are read off an output as JSON reads them. Method: lines with and without what the
// fast way knows, alone and mixed, are compared with their JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeCalls } from '../../../js/src/engine/calls.js';
import { completionLines } from '../../../js/src/engine/records.js';

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

const BINDING = {
  kind: 'Call',
  id: 7,
  callKind: 'api',
  pod: 'default/a',
  verb: 'bind',
  method: 'POST',
  path: '/api/v1/namespaces/default/pods/a/binding',
  contentType: 'application/json',
};
const LIMITED = { ...BINDING, id: 8, timeoutMs: 500, deadline: 1767225600000001 };
const OTHERS = [
  { ...BINDING, pod: 'default/"a\\' },
  { ...BINDING, pod: 'default/ä' },
  { ...BINDING, key: 'k' },
  { ...LIMITED, deadline: undefined },
  { ...BINDING, callKind: 'plugin', method: undefined, path: undefined, contentType: undefined },
  { ...BINDING, callKind: 'extender', target: 'http://a', path: undefined, url: 'http://a/bind' },
];

/** @param {object[]} headers @param {string} rest @param {string} body of each call */
function read(headers, rest, body) {
  const bodyBytes = ENCODER.encode(body).length;
  const text = headers.map((one) => `${JSON.stringify({ ...one, bodyBytes })}\n${body}`).join('');
  const { calls, text: after } = takeCalls(ENCODER.encode(text + rest), DECODER);
  assert.equal(after, rest);
  for (const call of calls) assert.equal(DECODER.decode(call.body), body);
  return calls.map(({ body: _body, ...call }) => call);
}

/** @param {any} header */
function expected({ kind: _kind, callKind, deadline, ...header }) {
  const given = Object.entries(header).filter(([, value]) => value !== undefined);
  const { method, contentType } = header;
  const whole = { kind: callKind, method, contentType, ...Object.fromEntries(given) };
  return { ...whole, deadline: deadline === undefined ? null : deadline / 1000 };
}

const LISTS = [[BINDING], [LIMITED, BINDING], ...OTHERS.map((one) => [BINDING, one, LIMITED])];

for (const headers of [[], ...LISTS]) {
  const ids = headers.map((one) => JSON.stringify(one)).join(' ');
  test(`calls are as JSON reads them: ${ids || 'none'}`, () => {
    for (const rest of ['{"idle":true}\n', '{"pod":"ö"}\n{"idle":true}\n'])
      for (const body of ['{"a":"u"}\n{}', '{"a":"ü"}\n{}', ''])
        assert.deepEqual(read(headers, rest, body), headers.map(expected));
  });
}

test('answers are lines of JSON', () => {
  const answers = [
    { call: { id: 1 }, answer: { status: 201, body: '{"a":"\\n\u2028"}' } },
    { call: { id: 2 }, answer: { status: 204 } },
    { call: { id: 3 }, answer: { status: 200, body: ENCODER.encode('ä') } },
    { call: { id: 4 }, answer: { error: 'timeout', message: 'no "answer"' } },
  ];
  const lines = completionLines(/** @type {any} */ (answers))
    .trimEnd()
    .split('\n');
  const type = 'COMPLETION';
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      { type, call: 1, status: 201, body: '{"a":"\\n\u2028"}' },
      { type, call: 2, status: 204, body: '' },
      { type, call: 3, status: 200, body: 'ä' },
      { type, call: 4, error: 'timeout', message: 'no "answer"' },
    ],
  );
});
