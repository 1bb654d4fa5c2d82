/**
 * Merge keys of YAML, as kubectl reads them: `<<` is a step like any other, so that its fields
 * replace those before it, and those after it replace its own. Counterpart:
 * sigs.k8s.io/yaml/goyaml.v2, decode.go (mapping, merge).
 */
import { isAlias, isMap, isSeq, Scalar } from 'yaml';

/** @import { ScalarTag } from 'yaml' */

const NAME = 'tag:yaml.org,2002:merge';

/**
 * Returns tags with this rule for merge keys.
 * @template T
 * @param {T[]} tags
 * @returns {T[]}
 */
export function withGoMerge(tags) {
  return tags.map((tag) => (/** @type {any} */ (tag)?.tag === NAME ? { ...tag, resolve } : tag));
}

/** @type {ScalarTag['resolve']} */
function resolve() {
  return Object.assign(new Scalar(Symbol('<<')), { addToJSMap });
}

/**
 * @param {any} context of the library's conversion
 * @param {Record<string, any>} map gets the fields
 * @param {unknown} value of the merge key
 */
function addToJSMap(context, map, value) {
  // Of a list the first one counts most.
  for (const node of isSeq(value) ? value.items.toReversed() : [value]) {
    const source = isAlias(node) ? node.resolve(context.doc, context) : node;
    if (isAlias(node) && !source) throw new Error(`unknown anchor '${node.source}' referenced`);
    if (!isMap(source))
      throw Object.assign(new Error('map merge requires map or sequence of maps as the value'), {
        pos: /** @type {any} */ (node).range,
      });
    for (const [name, field] of Object.entries(source.toJSON(null, context)))
      Object.defineProperty(map, name, {
        value: field,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
}
