import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchError } from '../../../js/src/index.js';
import { parse, positionOf } from '../../../js/src/manifests.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: NAME\n';
const named = (objects) => objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`);

test('objects come out of every form, in order', () => {
  const cases = [
    ['nothing', '', []],
    ['only comments', '# nothing\n---\n# here\n', []],
    ['one YAML document', pod.replace('NAME', 'a'), ['Pod a']],
    [
      'many YAML documents',
      `---\n${pod.replace('NAME', 'a')}---\n---\n${pod.replace('NAME', 'b')}`,
      ['Pod a', 'Pod b'],
    ],
    ['a JSON object', '{"kind":"Pod","metadata":{"name":"a"}}', ['Pod a']],
    ['a JSON array', '[{"kind":"Pod","metadata":{"name":"a"}}]', ['Pod a']],
    [
      'JSON lines',
      '{"kind":"Pod","metadata":{"name":"a"}}\n{"kind":"Pod","metadata":{"name":"b"}}\n',
      ['Pod a', 'Pod b'],
    ],
    [
      'JSON documents one after another',
      '{\n"kind":"Pod","metadata":{"name":"a"}}{"kind":"Node",\n"metadata":{"name":"b"}}',
      ['Pod a', 'Node b'],
    ],
    [
      'JSON documents in a YAML stream',
      '{"kind":"Pod","metadata":{"name":"a"}}\n---\n{"kind":"Pod","metadata":{"name":"b"}}',
      ['Pod a', 'Pod b'],
    ],
    ['KYAML', '{\n  # a pod\n  kind: "Pod",\n  metadata: {name: "a",},\n}\n', ['Pod a']],
    ['JSON with a comma too many', '{"kind":"Pod","metadata":{"name":"a",}}', ['Pod a']],
    [
      'KYAML in a YAML stream',
      '{kind: Pod, metadata: {name: a}}\n---\n{kind: Pod, metadata: {name: b}}',
      ['Pod a', 'Pod b'],
    ],
    ['JSON with a comment after it', '{"kind":"Pod","metadata":{"name":"a"}}\n# a\n', ['Pod a']],
    ['a YAML list that begins like JSON', '[{kind: Pod, metadata: {name: a}}]', ['Pod a']],
    [
      'a List',
      '{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","metadata":{"name":"a"}}]}',
      ['Pod a'],
    ],
    [
      'a List of Lists',
      '{"kind":"List","items":[{"kind":"NodeList","items":[{"metadata":{"name":"n"}}]}]}',
      ['Node n'],
    ],
    ['a bare list', 'kind: PodList\napiVersion: v1\nitems:\n- metadata:\n    name: a\n', ['Pod a']],
  ];
  for (const [name, text, expected] of cases) assert.deepEqual(named(parse(text)), expected, name);
  assert.equal(parse('{"kind":"NodeList","apiVersion":"v1","items":[{}]}')[0].apiVersion, 'v1');
});

test('YAML is read as kubectl reads it', () => {
  const text =
    'a: yes\nb: "yes"\nc: 0644\nd: 12:30:45\ne: 2026-01-01\nf: 1.5\ng: ~\n' +
    'h: 9223372036854775807\ni: &x {k: 1}\nj: {<<: *x, l: 2}\nk: 1\nk: 2\nno: no\n0x10: h\n';
  assert.deepEqual(parse(text), [
    {
      a: true,
      b: 'yes',
      c: 420,
      d: '12:30:45',
      e: '2026-01-01',
      f: 1.5,
      g: null,
      h: '9223372036854775807',
      i: { k: 1 },
      j: { k: 1, l: 2 },
      k: 2,
      false: false,
      16: 'h',
    },
  ]);
});

test('parse reports unreadable documents with their positions, and keeps the others', () => {
  const ten = (item) => `[${`${item},`.repeat(10)}]`;
  const bomb = `a: &a ${ten('1')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\nd: ${ten('*c')}\n`;
  const cases = [
    [
      'broken YAML',
      `${pod.replace('NAME', 'a')}---\nkind: [Pod\n---\n${pod.replace('NAME', 'b')}`,
      ['Pod a', 'Pod b'],
      ['MalformedYaml', 2, 7, 1],
    ],
    ['a tab', 'kind: Pod\nmetadata:\n\tname: x\n', [], ['MalformedYaml', 1, 3, 1]],
    ['an alias bomb', bomb, [], ['MalformedYaml', 1, 1, 1]],
    [
      'neither JSON nor YAML',
      '{"kind":"Pod",\n "metadata":{"name" "a"}}',
      [],
      ['MalformedJson', 1, 2, 21],
    ],
    [
      'YAML after more than one JSON document',
      '{"kind":"Pod","metadata":{"name":"a"}} {"kind":"Pod","metadata":{"name":"b"}} {kind: Pod}',
      ['Pod a', 'Pod b'],
      ['MalformedJson', 3, 1, 80],
    ],
    [
      'a cut document',
      '{"kind":"Pod","metadata":{"name":"a"}}\n{"kind":"Pod"',
      ['Pod a'],
      ['MalformedJson', 2, 2, 14],
    ],
    ['an open string', '{"kind": "Pod}', [], ['MalformedJson', 1, 1, 10]],
    ['no object', '--- \nhello\n', [], ['FieldValueTypeInvalid', 1, 2, 1]],
    [
      'nothing in a List',
      '{"kind":"List","items":[{"kind":"Pod"},null]}',
      ['Pod undefined'],
      ['FieldValueTypeInvalid', 1, 1, 40],
    ],
    [
      'an object without an end',
      `[{"kind":"Pod"},{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`,
      ['Pod undefined'],
      ['TooDeep', 1, 1, 17],
    ],
    ['lists of lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, [], ['TooDeep', 1, 1, 66]],
    ['YAML of 65 levels', `a: ${'['.repeat(64)}${']'.repeat(64)}`, [], ['TooDeep', 1, 1, 1]],
    [
      'a List of numbers',
      '{"kind":"List","items":[1,{"kind":"Pod"}]}',
      ['Pod undefined'],
      ['FieldValueTypeInvalid', 1, 1, 25],
    ],
  ];
  for (const [name, text, kept, [code, document, line, column]] of cases) {
    const told = [];
    assert.deepEqual(named(parse(text, { onError: (error) => told.push(error) })), kept, name);
    assert.deepEqual(
      told.map((error) => [error.code, error.document, error.line, error.column]),
      [[code, document, line, column]],
      name,
    );
    assert.throws(
      () => parse(text),
      (error) => error instanceof BatchError && error.result.length === kept.length,
      name,
    );
  }
});

test('YAML that is nested beyond the reader’s own end is too deep as well', () => {
  const told = [];
  parse(`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, { onError: (error) => told.push(error) });
  assert.deepEqual(
    told.map(({ code, message }) => [code, message]),
    [['TooDeep', 'nested deeper than 64 levels']],
  );
});

test('positions of objects and fields', () => {
  const spec =
    'spec:\n  containers:\n  - name: c\n' +
    '    resources:\n      requests:\n        nvidia.com/gpu: x\n';
  const yaml = `# head\n---\n${pod.replace('NAME', 'a')}${spec}`;
  const json =
    '{"kind":"List","items":[\n{"kind":"Node"},\n' +
    '{"kind":"Pod","spec":{"containers":[{"name":"c"},\n' +
    ' {"name":"d","resources":{"requests":{"nvidia.com/gpu":"x"}}}]}}]}';
  const [fromYaml] = parse(yaml);
  const [, fromJson] = parse(json);
  const cases = [
    [fromYaml, '', { document: 1, line: 3, column: 1 }],
    [
      fromYaml,
      'spec.containers[0].resources.requests[nvidia.com/gpu]',
      { document: 1, line: 12, column: 25 },
    ],
    [fromYaml, 'spec.containers[3].name', { document: 1, line: 9, column: 3 }],
    [fromJson, '', { document: 1, line: 3, column: 1 }],
    [
      fromJson,
      'spec.containers[1].resources.requests[nvidia.com/gpu]',
      { document: 1, line: 4, column: 56 },
    ],
    [fromJson, 'spec.nodeName', { document: 1, line: 3, column: 22 }],
    [{}, '', undefined],
  ];
  for (const [object, field, expected] of cases)
    assert.deepEqual(positionOf(object, field), expected, field);
});

test('an object whose type is no text is an object all the same, for the engine to refuse', () => {
  for (const odd of [null, 5, ['List'], {}, true]) {
    const list = { apiVersion: 'v1', kind: odd, items: [] };
    assert.deepEqual(parse(JSON.stringify(list)), [list]);
    const pod = { apiVersion: odd, kind: 'Pod', metadata: { name: 'p' } };
    assert.deepEqual(parse(JSON.stringify(pod)), [pod]);
  }
});
