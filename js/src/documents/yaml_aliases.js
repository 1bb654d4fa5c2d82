/**
 * Aliases of YAML, within kubectl's bound. The library searches all anchors for each alias, and its
 * own bound counts uses of one anchor: it refuses a hundred labels that are the same, and not the
 * power of an empty mapping. Counterpart of the bound: sigs.k8s.io/yaml/goyaml.v2, decode.go.
 */
import { Alias, isAlias, isMap, isSeq, visit } from 'yaml';

/** @import { Document } from 'yaml' */

/** From these numbers of values on, a smaller share of them may come from aliases. */
const FEW = 400_000;
const MANY = 4_000_000;

/**
 * Finds the anchor of each alias in one pass.
 * @param {Document.Parsed} document
 * @returns {Alias | undefined} the first alias without an anchor
 */
export function resolveAliases(document) {
  /** @type {Map<string, any>} */
  const anchors = new Map();
  /** @type {Alias | undefined} */
  let stray;
  visit(document, {
    Value(_key, node) {
      if (node.anchor) anchors.set(node.anchor, node);
    },
    Alias(_key, alias) {
      const found = anchors.get(alias.source);
      if (!found) stray ??= alias;
      alias.resolve = (of, context) => {
        if (!context) return found;
        // The library goes through these up to the alias.
        context.aliasResolveCache = found ? [found, alias] : [alias];
        return Alias.prototype.resolve.call(alias, of, context);
      };
    },
  });
  return stray;
}

/**
 * @param {Document.Parsed} document with resolved aliases
 * @throws {Error} if the values that aliases stand for are too many
 */
export function checkAliases(document) {
  let values = 0;
  let repeated = 0;
  /** @type {Set<unknown>} */
  const open = new Set();
  /** @param {any} node */
  const count = (node) => {
    values += 1;
    if (open.size > 0) repeated += 1;
    if (repeated > 100 && values > 1000 && repeated / values > shareOf(values))
      throw new Error('document contains excessive aliasing');
    if (isAlias(node)) {
      if (open.has(node)) throw new Error(`anchor '${node.source}' value contains itself`);
      open.add(node);
      count(node.resolve(document));
      open.delete(node);
    } else if (isSeq(node)) node.items.forEach(count);
    else if (isMap(node))
      for (const { key, value } of node.items) {
        count(key);
        count(value);
      }
  };
  count(document.contents);
}

/** The share of values that may come from aliases. @param {number} values */
function shareOf(values) {
  const grown = Math.min(Math.max(values - FEW, 0) / (MANY - FEW), 1);
  return 0.99 - 0.89 * grown;
}
