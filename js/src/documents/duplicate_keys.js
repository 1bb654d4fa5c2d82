/** Finds keys that occur twice in one mapping of a document; their last value counts. */
import { isMap, isNode, isScalar, isSeq } from 'yaml';

/** @import { Step } from './documents.js' */

/**
 * A key that its mapping contained already: its path, and the position of the repetition.
 * @typedef {{ path: Step[], offset: number }} DuplicateKey
 */

/**
 * @param {unknown} contents of a YAML document
 * @returns {DuplicateKey[]} in their order
 */
export function duplicateYamlKeys(contents) {
  /** @type {DuplicateKey[]} */
  const found = [];
  /** @param {unknown} node @param {Step[]} path */
  const visit = (node, path) => {
    if (isSeq(node)) node.items.forEach((item, index) => visit(item, [...path, index]));
    if (!isMap(node)) return;
    const known = new Set();
    for (const { key, value } of node.items) {
      // The fields of a merge key are those of its mapping.
      if (isScalar(key) && typeof key.value === 'symbol') visit(value, path);
      const name = isScalar(key) && typeof key.value !== 'symbol' ? String(key.value) : undefined;
      if (name === undefined) continue;
      const own = [...path, name];
      if (known.has(name)) found.push({ path: own, offset: offsetOf(key) });
      known.add(name);
      visit(value, own);
    }
  };
  visit(contents, []);
  return found;
}

/** @param {unknown} node */
function offsetOf(node) {
  return (isNode(node) && node.range?.[0]) || 0;
}

/** An open container: its keys, or the number of items so far. */
/** @typedef {{ keys?: Set<string>, step: Step }} Open */

/**
 * @param {string} text contains a JSON document that was parsed before
 * @param {number} start of the document
 * @returns {DuplicateKey[]} in their order
 */
export function duplicateJsonKeys(text, start) {
  /** @type {DuplicateKey[]} */
  const found = [];
  /** @type {Open[]} */
  const open = [];
  let isKeyNext = false;
  for (let at = start; at < text.length; at += 1) {
    const inner = open[open.length - 1];
    switch (text[at]) {
      case '{':
        open.push({ keys: new Set(), step: '' });
        isKeyNext = true;
        break;
      case '[':
        open.push({ step: 0 });
        isKeyNext = false;
        break;
      case '}':
      case ']':
        open.pop();
        if (open.length === 0) return found;
        isKeyNext = false;
        break;
      case ',':
        if (typeof inner.step === 'number') inner.step += 1;
        isKeyNext = inner.keys !== undefined;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isKeyNext && inner.keys) {
          inner.step = String(JSON.parse(text.slice(at, end)));
          const isKnown = inner.keys.has(inner.step);
          if (isKnown) found.push({ path: open.map(({ step }) => step), offset: at });
          inner.keys.add(inner.step);
          isKeyNext = false;
        }
        at = end - 1;
      }
    }
  }
  return found;
}

/**
 * @param {string} text
 * @param {number} start of a string in it
 * @returns {number} the position after its closing quote
 */
function endOfString(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
