/** The completions at a cursor: fields, keys and values. */
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
 * @property {string} apply the text that is inserted
 * @property {'property' | 'enum'} type
 * @property {string} [detail] the type, and whether the field is required
 * @property {string} [info] one line
 * @property {number} boost options are sorted by it, highest first
 */

/**
 * Options that replace the text from `from` to the cursor.
 * @typedef {{ from: number, options: Option[] }} Completions
 */

/** @typedef {{ store: Pick<Store, 'list'>, settings: SchedulerSettings }} ClusterNames */

/**
 * @param {TextKind} kind
 * @param {string} text
 * @param {number} offset of the cursor
 * @param {ClusterNames} cluster the source of object names
 * @returns {Completions | null} null if the types know nothing about this place
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
      // A scalar at a key's place is an item of a list.
      return cursor.isItem ? values(place, cursor, cluster, '') : [];
    default:
      return [];
  }
}

/**
 * Options for the first item of a list.
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
 * Options for the fields that the object lacks, required ones first.
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
 * @param {Shape} shape the value's shape
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
 * Values of apiVersion and kind that fit the object which they identify.
 * @param {any} document
 * @param {Cursor['path']} path
 */
function identity(document, path) {
  const field = path[path.length - 1];
  if (field !== 'apiVersion' && field !== 'kind') return [];
  const object = path.slice(0, -1).reduce((at, step) => at?.[step], document) ?? {};
  return identityValues(field, object);
}

/** Quotes `*` and values that YAML would read as another type. @param {string} value */
function written(value) {
  return /^(\*|True|False)$/.test(value) ? `'${value}'` : value;
}
