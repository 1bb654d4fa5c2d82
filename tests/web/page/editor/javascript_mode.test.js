// Goal: the editor colours and indents JavaScript, and finds matching brackets. Method: texts, with
// what CodeMirror computes for them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ensureSyntaxTree, getIndentation, matchBrackets } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';

import { javascriptMode } from '../../../../web/src/page/editor/javascript_mode.js';

const SAMPLES = new URL('../../../../web/plugins/', import.meta.url);

const highlighter = tagHighlighter([
  { tag: tags.propertyName, class: 'property' },
  { tag: [tags.string, tags.special(tags.string)], class: 'string' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.keyword, class: 'keyword' },
  { tag: [tags.number, tags.atom], class: 'value' },
  { tag: tags.punctuation, class: 'punctuation' },
]);

/** A state with its whole text parsed. @param {string} doc */
function parsed(doc) {
  const state = EditorState.create({ doc, extensions: javascriptMode });
  const tree = ensureSyntaxTree(state, doc.length, 10_000);
  assert.ok(tree);
  return { state, tree };
}

/** The coloured words. @param {string} text */
function coloured(text) {
  /** @type {string[]} */
  const words = [];
  highlightTree(parsed(text).tree, highlighter, (from, to, name) => {
    words.push(`${name} ${text.slice(from, to)}`);
  });
  return words;
}

for (const [text, words] of /** @type {[string, string[]][]} */ ([
  ["const a = 'b';", ['keyword const', "string 'b'", 'punctuation ;']],
  ['x.y // why', ['property y', 'comment // why']],
  ['if (1) null', ['keyword if', 'punctuation (', 'value 1', 'punctuation )', 'value null']],
  ['r = /[/]/', ['string /[/]/']],
  ['a = `b\nc`', ['string `b', 'string c`']],
  [
    '({ a() {} })',
    ['punctuation ({', 'property a', 'punctuation ()', 'punctuation {}', 'punctuation })'],
  ],
])) {
  test(`the colours of ${JSON.stringify(text)}`, () => assert.deepEqual(coloured(text), words));
}

for (const name of readdirSync(SAMPLES)) {
  test(`the lines of ${name} are indented as they are written`, () => {
    const { state } = parsed(readFileSync(new URL(name, SAMPLES), 'utf8'));
    for (let number = 1; number <= state.doc.lines; number += 1) {
      const { from, text } = state.doc.line(number);
      if (/^\s*(\*|$)/.test(text)) continue;
      assert.equal(getIndentation(state, from), text.search(/\S/), text);
    }
  });
}

test('a bracket matches its partner, and none in a string', () => {
  const text = "call(')', [1]);";
  const { state } = parsed(text);
  const match = matchBrackets(state, text.indexOf('('), 1);
  assert.deepEqual(match?.end, { from: text.lastIndexOf(')'), to: text.lastIndexOf(')') + 1 });
  assert.equal(match?.matched, true);
});
