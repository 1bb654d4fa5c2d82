// Goal: plain scalars of YAML have the type that kubectl gives them, and what is written is read
// again as it was. Method: a table by the rules of sigs.k8s.io/yaml/goyaml.v2, resolve.go, and
// round trips of texts that look like other types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Document, parseDocument } from 'yaml';
import { yamlText } from '../../../js/src/cli/terminal/documents.js';
import { documentsOf, YAML_OPTIONS } from '../../../js/src/documents/documents.js';

/** @param {string} scalar */
const read = (scalar) => documentsOf(`value: ${scalar}\n`)[0].value.value;

test('numbers', () => {
  const table = /** @type {[string, number | string][]} */ ([
    ['7', 7],
    ['+7', 7],
    ['-7', -7],
    ['010', 8],
    ['09', 9],
    ['0o17', 15],
    ['0x1F', 31],
    ['-0b11', -3],
    ['1_000', 1000],
    ['0_1', 1],
    ['1.', 1],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1_0.5_0', 10.5],
    ['1e3', 1000],
    ['1.e-1', 0.1],
    ['99999999999999999999', 1e20],
    ['9007199254740993', '9007199254740993'],
  ]);
  for (const [scalar, value] of table) assert.equal(read(scalar), value, scalar);
});

test('what only YAML 1.1 calls a number is text', () => {
  const table = ['e2', 'E5', '.e3', '.', '-e1', '+e1', '-', '+', '.5_0', '_1', '0b', '0xg'];
  const others = [
    '0o9',
    '1:30',
    '1:30.5',
    '2020-01-01',
    '1e',
    '1e999',
    '1.2.3',
    '10.0.0.1',
    '1e3e',
  ];
  for (const scalar of [...table.filter((text) => text !== '-'), ...others])
    assert.equal(read(scalar), scalar, scalar);
});

test('keys are read by the same rules', () => {
  assert.deepEqual(documentsOf('e2: a\n')[0].value, { e2: 'a' });
});

test('what JSON cannot express is an error', () => {
  for (const scalar of ['.nan', '.NaN', '.inf', '-.Inf', '+.INF'])
    assert.match(documentsOf(`a: ${scalar}\n`)[0].error.message, /json: unsupported value/, scalar);
});

test('text that looks like another type is written in quotes', () => {
  const texts = ['yes', 'on', 'NO', 'n', 'y', '010', '1_000', '0b1', '1e3', '.5', '~', 'null', ''];
  const more = ['.inf', '0o7', 'true', '1:30', '2020-01-01', '=', '-', '- a', 'a: b', '#'];
  for (const text of [...texts, ...more]) {
    const value = { [text]: text, list: [text] };
    assert.deepEqual(documentsOf(yamlText(value))[0].value, value, text);
  }
});

test('any value is read as it was written', () => {
  const text = fc.oneof(
    fc.string().filter((key) => key !== '<<' && key !== '__proto__'),
    fc.stringMatching(/^[-+.0-9_eEoxbyn]{1,6}$/),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b'), tree), (value) => {
      assert.deepEqual(documentsOf(yamlText(value))[0].value, JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 3000 },
  );
});

test('a document that is changed keeps its numbers as they were written', () => {
  const source = 'a: 0x1F\nb: 1_000\nc: 1.50\nd: e2\n';
  const document = parseDocument(source, YAML_OPTIONS);
  document.set('e', 7);
  assert.equal(document.toString(), `${source}e: 7\n`);
  assert.equal(
    new Document({ a: 'e2', b: 1e21, c: 3n }, YAML_OPTIONS).toString(),
    'a: e2\nb: 1e+21\nc: 3\n',
  );
});
