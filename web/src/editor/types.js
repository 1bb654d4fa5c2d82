/** The types at each place of a text: those of its documents and of all fields below. */
import { ANY, KUBERNETES_TYPES, Table } from '../../../js/apiserver/index.js';
import { isRecord } from '../../../js/src/kubernetes.js';
import { CONFIGURATION_VERSION, OWN_TYPES } from './own_types.js';

/**
 * @import { Shape, Struct } from '../../../js/apiserver/index.js'
 * @import { Step } from '../../../js/src/manifests.js'
 */

/**
 * The contents of a text: Kubernetes objects, one object, a KubeSchedulerConfiguration, a scenario,
 * or a file, which may be any of these.
 * @typedef {'objects' | 'object' | 'configuration' | 'scenario' | 'file'} TextKind
 */

/**
 * A place in a document.
 * @typedef {object} Place
 * @property {Shape} shape
 * @property {any} value the value, as far as it is written
 * @property {string} owner the field that holds the value, or the list or map that it is in, such
 *   as `core/v1.PodSpec.nodeName`
 */

// A template of both texts would be a second copy of them: minifiers fold constants.
const TABLE = new Table([KUBERNETES_TYPES, OWN_TYPES].map((text) => text.trim()).join('\n'));

const OBJECT = shapeNamed('stowage/v1.Object');
const ITEM = shapeNamed('stowage/v1.Item');
const ITEMS = TABLE.shape('[]stowage/v1.Item', '');
const REFERENCE = shapeNamed('stowage/v1.Reference');
const REFERENCES = TABLE.shape('[]stowage/v1.Reference', '');

/**
 * @param {TextKind} kind
 * @param {unknown} value the whole document
 * @returns {Place}
 */
export function documentPlace(kind, value) {
  const said = kind === 'file' && isRecord(value) ? value.kind : '';
  if (kind === 'configuration' || said === 'KubeSchedulerConfiguration')
    return place(configurationShape(), value, '');
  if (kind === 'scenario' || said === 'Scenario')
    return place(shapeNamed('stowage/v1.Scenario'), value, '');
  return place(resolved(OBJECT, value), value, '');
}

function configurationShape() {
  return kindShape(CONFIGURATION_VERSION, 'KubeSchedulerConfiguration') ?? ANY;
}

/**
 * @param {Place} start
 * @param {Step[]} path
 * @returns {Place | null} null if the types have no such place
 */
export function placeIn(start, path) {
  return path.reduce((/** @type {Place | null} */ at, step) => at && childPlace(at, step), start);
}

/**
 * @param {Place} parent
 * @param {Step} step
 * @returns {Place | null}
 */
export function childPlace({ shape, value, owner }, step) {
  const child = value?.[step];
  switch (shape.kind) {
    case 'struct': {
      const field = shape.struct.fields.get(String(step));
      if (!field) return null;
      const own = resolved(field.shape, child, value);
      return place(own, child, `${shape.struct.name}.${field.name}`);
    }
    case 'list':
    case 'map':
      return place(resolved(shape.element, child), child, owner);
    default:
      return null;
  }
}

/**
 * The shape of a value. An object's apiVersion and kind select its type.
 * @param {Shape} shape
 * @param {any} value
 * @param {any} [parent]
 * @returns {Shape}
 */
function resolved(shape, value, parent) {
  if (shape.kind !== 'struct') return shape;
  switch (shape.struct.name) {
    case 'stowage/v1.Object':
      return shapeOfObject(value) ?? OBJECT;
    case 'stowage/v1.Item':
      return shapeOfObject(value) ?? ITEM;
    case 'stowage/v1.Items':
      return isRecord(value) ? resolved(ITEM, value) : ITEMS;
    case 'stowage/v1.References':
      return isRecord(value) ? REFERENCE : REFERENCES;
    case 'config/v1.PluginArgs':
      return argsShape(parent?.name);
    default:
      return shape;
  }
}

/** @param {any} object */
function shapeOfObject(object) {
  return isRecord(object) ? kindShape(String(object.apiVersion), String(object.kind)) : null;
}

/** The arguments of a plugin that is not in-tree may have any fields. @param {unknown} plugin */
function argsShape(plugin) {
  try {
    return shapeNamed(`config/v1.${plugin}Args`);
  } catch {
    return ANY;
  }
}

/**
 * @param {string} apiVersion
 * @param {string} kind
 * @returns {Shape | null}
 */
function kindShape(apiVersion, kind) {
  const struct = TABLE.struct(apiVersion, kind);
  return struct && { kind: 'struct', struct, isAtomic: false };
}

/** @param {string} name @returns {Shape} */
function shapeNamed(name) {
  return TABLE.shape(name, '');
}

/**
 * @param {Shape} shape
 * @param {any} value
 * @param {string} owner
 * @returns {Place}
 */
function place(shape, value, owner) {
  return { shape, value, owner };
}

/**
 * The name that people use for a shape: `string`, `[]Toleration`, `map[string]Quantity`.
 * @param {Shape} shape
 * @returns {string}
 */
export function typeName(shape) {
  switch (shape.kind) {
    case 'any':
      return 'anything';
    case 'scalar':
      return shape.basic;
    case 'struct':
      return /** @type {Struct} */ (shape.struct).goName;
    case 'list':
      return `[]${typeName(shape.element)}`;
    case 'map':
      return `map[string]${typeName(shape.element)}`;
  }
}
