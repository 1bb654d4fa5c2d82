import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  labelSelectorOf,
  labelSelectorText,
  parseLabelSelector,
} from '../../../js/src/kubernetes/label_selector.js';

/** @param {string} text @param {Record<string, string>} labels */
const matches = (text, labels) => parseLabelSelector(text).matches(labels);

test('selectors match the same labels as upstream', () => {
  const cases = /** @type {[string, Record<string, string>, boolean][]} */ ([
    ['', { a: '1' }, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: '1' }, false],
    ['a=1', { a: '1' }, true],
    ['a==1', { a: '1' }, true],
    ['a=', { a: '' }, true],
    ['a!=1', { a: '2' }, true],
    ['a!=1', {}, true],
    ['a in (1, 2)', { a: '2' }, true],
    ['a in (1,,2)', { a: '' }, true],
    ['a in ()', { a: '' }, true],
    ['a in (,1)', { a: '' }, true],
    ['a in (in,notin)', { a: 'in' }, true],
    ['a notin (1,2)', { a: '3' }, true],
    ['a notin (1,2)', {}, true],
    ['a notin (1,2)', { a: '1' }, false],
    ['in in (in)', { in: 'in' }, true],
    ['a>1', { a: '2' }, true],
    ['a>1', { a: 'x' }, false],
    ['a<10', { a: '9' }, true],
    ['a in (1),b=2,!c', { a: '1', b: '2' }, true],
    ['a in (1),b=2,!c', { a: '1', b: '2', c: '' }, false],
    ['example.com/a=1', { 'example.com/a': '1' }, true],
    [' a = 1 , b ', { a: '1', b: 'x' }, true],
    ['a=toString', {}, false],
    ['toString', {}, false],
  ]);
  for (const [text, labels, wanted] of cases) {
    assert.equal(matches(text, labels), wanted, `${text} of ${JSON.stringify(labels)}`);
  }
});

test('an invalid selector is refused with the message of the server', () => {
  const cases = [
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['a=(', "unable to parse requirement: found '(', expected: identifier"],
    [
      'a>x',
      'unable to parse requirement: values[0]: Invalid value: "x": ' +
        "for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseLabelSelector(text), { code: 'BadRequest', status: 400, message });
  }
  assert.throws(() => parseLabelSelector('-a=b'), {
    message: /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist/,
  });
  assert.throws(() => parseLabelSelector('a=b/'), {
    message: /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "b\/": a valid label/,
  });
});

test('a selector of a spec matches like that of a query, and an absent one nothing', () => {
  const labels = { app: 'web', tier: 'front' };
  const selector = {
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['front', 'back'] },
      { key: 'old', operator: 'DoesNotExist' },
    ],
  };
  assert.equal(labelSelectorOf(selector).matches(labels), true);
  assert.equal(labelSelectorOf(selector).matches({ ...labels, old: '' }), false);
  assert.equal(labelSelectorOf({}).matches(labels), true);
  assert.equal(labelSelectorOf({}).isEmpty, true);
  assert.equal(labelSelectorOf(undefined).matches(labels), false);
  const unknown = labelSelectorOf({ matchExpressions: [{ key: 'a', operator: 'Is' }] });
  assert.equal(unknown.fault, '"Is" is not a valid label selector operator');
  assert.deepEqual([unknown.matches({}), unknown.isEmpty], [false, false]);
});

test('the selector of a spec is printed as a query, by key and with its values in order', () => {
  const every = {
    matchLabels: { b: '1', 'a-b': '2' },
    matchExpressions: [
      { key: 'd', operator: 'NotIn', values: ['y', 'x'] },
      { key: 'c', operator: 'In', values: ['z'] },
      { key: 'a', operator: 'DoesNotExist' },
      { key: 'e', operator: 'Exists' },
    ],
  };
  assert.equal(labelSelectorText(every), '!a,a-b=2,b=1,c in (z),d notin (x,y),e');
  assert.equal(labelSelectorText({ matchLabels: {} }), '');
  assert.equal(labelSelectorText(undefined), '');
});
