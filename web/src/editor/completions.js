/** What may stand where the cursor is: fields, keys and values. */
import { namesInCluster } from './cluster_names.js';
import { cursorAt } from './cursor.js';
import { descriptionOf } from './descriptions.js';
import { fixedValues, identityValues, pluginNames } from './known_values.js';
import { documentPlace, placeIn, typeName } from './types.js';

/**
 * @import { Field, Shape, Store } from '../../../js/apiserver/index.js'
 * @import { SchedulerSettings } from '../world/world.js'
 * @import { Cursor } from './cursor.js'
 * @import { Place, TextKind } from './types.js'
 */

/**
 * @typedef {object} Option
 * @property {string} label
 * @property {string} apply what is written
 * @property {'property' | 'enum'} type
 * @property {string} [detail] its type, and whether it is required
 * @property {string} [info] one line
 * @property {number} boost the highest is first
 */

/**
 * Options for the word that begins at `from`.
 * @typedef {{ from: number, options: Option[] }} Completions
 */

/** @typedef {{ store: Pick<Store, 'list'>, settings: SchedulerSettings }} ClusterNames */

/**
 * @param {TextKind} kind
 * @param {string} text
 * @param {number} offset of the cursor
 * @param {ClusterNames} cluster names come from there
 * @returns {Completions | null} null where nothing is known
 */
export function completionsAt(kind, text, offset, cluster) {
  const cursor = cursorAt(text, offset);
  if (!cursor) return null;
  const place = placeIn(documentPlace(kind, cursor.document), cursor.path);
  if (!place) return null;
  const options = optionsIn(place, cursor, cluster);
  return options.length > 0 ? { from: cursor.from, options } : null;
}

/**
 * @param {Place} place
 * @param {Cursor} cursor
 * @param {ClusterNames} cluster
 * @returns {Option[]}
 */
function optionsIn(place, cursor, cluster) {
  const { shape } = place;
  if (!cursor.isKey) return shape.kind === 'scalar' ? values(place, cursor, cluster, '') : [];
  switch (shape.kind) {
    case 'struct':
      return fields(shape.struct.name, [...shape.struct.fields.values()], place, cursor, '');
    case 'map':
      return values(place, cursor, cluster, cursor.hasColon ? '' : ': ');
    case 'list':
      return firstItem(place, cursor, cluster);
    case 'scalar':
      // What may be the key of an object is the item of a list.
      return cursor.isItem ? values(place, cursor, cluster, '') : [];
    default:
      return [];
  }
}

/**
 * Of a list that has no item yet.
 * @param {Place} place
 * @param {Cursor} cursor
 * @param {ClusterNames} cluster
 * @returns {Option[]}
 */
function firstItem(place, cursor, cluster) {
  const { shape } = place;
  if (shape.kind !== 'list' || Array.isArray(place.value)) return [];
  const item = placeIn({ ...place, value: [{}] }, [0]);
  if (item?.shape.kind === 'struct') {
    const { struct } = item.shape;
    const deeper = { ...cursor, indent: cursor.indent + 2 };
    return fields(struct.name, [...struct.fields.values()], item, deeper, '- ');
  }
  return item ? values(item, cursor, cluster, '').map(asItem) : [];
}

/** @param {Option} option */
function asItem(option) {
  return { ...option, apply: `- ${option.apply}` };
}

/**
 * Those that are not there yet: what must be there comes first.
 * @param {string} owner
 * @param {Field[]} all
 * @param {Place} place
 * @param {Cursor} cursor
 * @param {string} prefix
 * @returns {Option[]}
 */
function fields(owner, all, { value }, cursor, prefix) {
  const missing = all.filter(({ name }) => !Object.hasOwn(value ?? {}, name));
  return missing.map((field, index) => {
    const isRequired = field.isAlwaysWritten && field.shape.kind !== 'struct';
    const info = descriptionOf(`${owner}.${field.name}`);
    return {
      label: field.name,
      apply: `${prefix}${field.name}${behindKey(field.shape, cursor)}`,
      type: /** @type {const} */ ('property'),
      detail: `${typeName(field.shape)}${isRequired ? ', required' : ''}`,
      ...(info && { info }),
      boost: (isRequired ? 50 : 0) + (info ? 25 : 0) - Math.min(index, 60) / 4,
    };
  });
}

/**
 * @param {Shape} shape of the value
 * @param {Cursor} cursor
 */
function behindKey(shape, { hasColon, isBlock, indent }) {
  if (hasColon) return '';
  if (!isBlock || shape.kind === 'scalar' || shape.kind === 'any') return ': ';
  const inside = ' '.repeat(indent + 2);
  return `:\n${inside}${shape.kind === 'list' ? '- ' : ''}`;
}

/**
 * @param {Place} place
 * @param {Cursor} cursor
 * @param {ClusterNames} cluster
 * @param {string} suffix
 * @returns {Option[]}
 */
function values({ shape, owner }, { document, path }, cluster, suffix) {
  const found = [
    ...new Set([
      ...booleans(shape),
      ...identity(document, path),
      ...(owner === 'config/v1.Plugin.name' || owner === 'config/v1.PluginConfig.name'
        ? pluginNames(path)
        : []),
      ...namesInCluster(owner, cluster),
      ...fixedValues(owner),
    ]),
  ];
  return found.map((label, index) => ({
    label,
    apply: `${written(label)}${suffix}`,
    type: /** @type {const} */ ('enum'),
    boost: -Math.min(index, 99),
  }));
}

/** @param {Shape} shape */
function booleans(shape) {
  return shape.kind === 'scalar' && shape.basic === 'bool' ? ['true', 'false'] : [];
}

/**
 * apiVersion and kind of the object that they stand in.
 * @param {any} document
 * @param {Cursor['path']} path
 */
function identity(document, path) {
  const field = path[path.length - 1];
  if (field !== 'apiVersion' && field !== 'kind') return [];
  const object = path.slice(0, -1).reduce((at, step) => at?.[step], document) ?? {};
  return identityValues(field, object);
}

/** `*`, and what YAML reads as something else, in quotes. @param {string} value */
function written(value) {
  return /^(\*|True|False)$/.test(value) ? `'${value}'` : value;
}
