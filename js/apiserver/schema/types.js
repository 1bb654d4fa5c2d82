/**
 * The types of the served kinds: their fields, and how patches treat them.
 * Counterpart: the struct tags of k8s.io/api and the OpenAPI markers made from them, v1.36.
 *
 * The table's lines: `kind apiVersion Kind [= type]`, `type name [atomic]`, and below a type a
 * field each: its JSON name, its shape and its marks. A shape is a basic type, `any`, or a type of
 * the table, with `[]` and `map[]` in front; a name alone is a `string` without marks. The marks:
 *   `*` a pointer: absent differs from zero
 *   `!` written even where it is zero
 *   `keys=a,b` a list of maps by these keys; `set` a list of scalars, each once; without them a
 *   list is one value; `atomic` makes one value of a map or a struct, `granular` undoes it
 *   `default=x` of a key
 *   `~merge,retainKeys/name` patchStrategy and patchMergeKey, where it is not the first key
 *   `#2` its number in protobuf; `#2.1` that of a message there, and its number in it
 */
import { KUBERNETES_TYPES } from './kubernetes_types.js';

/**
 * @typedef {'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes' | 'Quantity' |
 *   'IntOrString' | 'Time' | 'MicroTime'} Basic
 */

/**
 * @typedef {{ kind: 'scalar', basic: Basic }
 *   | { kind: 'any' }
 *   | { kind: 'struct', struct: Struct, isAtomic: boolean }
 *   | { kind: 'map', element: Shape, isAtomic: boolean }
 *   | { kind: 'list', element: Shape, keys: string[], isSet: boolean }} Shape
 */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {number} place its index among the fields of its struct
 * @property {Shape} shape
 * @property {boolean} isPointer
 * @property {boolean} isAlwaysWritten
 * @property {unknown} preset the value of an absent key; undefined if it has none
 * @property {string[]} patchStrategies
 * @property {string} patchMergeKey
 * @property {number[]} protobuf the numbers that lead to it; empty if protobuf has no such field
 */

/** @typedef {{ names: string[], fields: Field[], unknown: string[] }} Layout */

/** The number of layouts that a type keeps. */
const LAYOUTS_MAX = 8;

const BASICS = new Set(
  'string bool int32 int64 float64 bytes Quantity IntOrString Time MicroTime'.split(' '),
);

/** @type {Shape} */
export const ANY = Object.freeze({ kind: 'any' });

/** A struct of the table; its fields are parsed on first use. */
export class Struct {
  /** @type {Map<string, Field> | null} */
  #fields = null;
  /** @type {Field[] | null} */
  #alwaysWritten = null;
  /** @type {Layout[]} */
  #layouts = [];
  #lines;
  #table;

  /**
   * @param {string} name such as `core/v1.PodSpec`
   * @param {string[]} lines
   * @param {Table} table
   */
  constructor(name, lines, table) {
    this.name = name;
    this.#lines = lines;
    this.#table = table;
  }

  /** The name in Go's errors: `PodSpec`. */
  get goName() {
    return this.name.slice(this.name.lastIndexOf('.') + 1);
  }

  /** By their JSON names. @returns {Map<string, Field>} */
  get fields() {
    this.#fields ??= new Map(
      this.#lines.map((line, place) => {
        const shapeOf = (/** @type {string} */ text) => this.#table.shape(text, this.#folder);
        const field = { place, ...readField(line, shapeOf) };
        return [field.name, field];
      }),
    );
    return this.#fields;
  }

  /** The fields that are written even if they are zero. @returns {Field[]} */
  get alwaysWritten() {
    this.#alwaysWritten ??= [...this.fields.values()].filter((field) => field.isAlwaysWritten);
    return this.#alwaysWritten;
  }

  /**
   * Returns the fields that an object has or that are always written, in their order, and the names
   * that the type does not have. Objects of a type come with few sets of names, so the latest are
   * kept.
   * @param {Record<string, unknown>} value
   * @returns {Layout}
   */
  layoutOf(value) {
    const names = Object.keys(value);
    for (const layout of this.#layouts) if (isSame(layout.names, names)) return layout;
    const layout = this.#newLayout(names);
    if (layout.unknown.length > 0) return layout;
    this.#layouts.unshift(layout);
    if (this.#layouts.length > LAYOUTS_MAX) this.#layouts.pop();
    return layout;
  }

  /**
   * @param {string[]} names
   * @returns {Layout}
   */
  #newLayout(names) {
    const has = new Set(names);
    const fields = [...this.fields.values()];
    return {
      names,
      fields: fields.filter(({ name, isAlwaysWritten }) => isAlwaysWritten || has.has(name)),
      unknown: names.filter((name) => !this.fields.has(name)),
    };
  }

  get #folder() {
    return this.name.slice(0, this.name.lastIndexOf('.') + 1);
  }
}

/**
 * Returns the folder of a version's types: `core/v1`, `node/v1` for `node.k8s.io/v1`.
 * @param {string} apiVersion
 */
function folderOf(apiVersion) {
  return apiVersion.includes('/') ? apiVersion.replace(/\.[^/]*/, '') : `core/${apiVersion}`;
}

/** The whole table, scanned at once; its structs are parsed one by one. */
export class Table {
  /** @type {Map<string, string>} */
  #kinds = new Map();
  /** @type {Map<string, { struct: Struct, isAtomic: boolean }>} */
  #structs = new Map();

  /** @param {string} text */
  constructor(text) {
    for (const block of text.trim().split(/\n(?=kind |type )/)) {
      const [head, ...lines] = block.split('\n');
      const [word, ...rest] = head.split(' ');
      if (word === 'kind') {
        const [apiVersion, kind, , type = `${folderOf(apiVersion)}.${kind}`] = rest;
        this.#kinds.set(`${apiVersion} ${kind}`, type);
      } else {
        const [name, atomic] = rest;
        const struct = new Struct(name, lines, this);
        this.#structs.set(name, { struct, isAtomic: atomic === 'atomic' });
      }
    }
  }

  /** @param {string} apiVersion @param {string} kind @returns {Struct | null} */
  struct(apiVersion, kind) {
    const name = this.#kinds.get(`${apiVersion} ${kind}`);
    return name === undefined ? null : this.#named(name).struct;
  }

  /** @param {string} name */
  #named(name) {
    const found = this.#structs.get(name);
    if (!found) throw new Error(`no type ${name} in the table`);
    return found;
  }

  /**
   * @param {string} text
   * @param {string} folder of the struct that contains it
   * @returns {Shape}
   */
  shape(text, folder) {
    if (text.startsWith('[]')) {
      return { kind: 'list', element: this.shape(text.slice(2), folder), keys: [], isSet: false };
    }
    if (text.startsWith('map[]')) {
      return { kind: 'map', element: this.shape(text.slice(5), folder), isAtomic: false };
    }
    if (text === 'any') return ANY;
    if (BASICS.has(text)) return { kind: 'scalar', basic: /** @type {Basic} */ (text) };
    return { kind: 'struct', ...this.#named(text.includes('/') ? text : `${folder}${text}`) };
  }
}

/**
 * @param {string[]} a
 * @param {string[]} b
 */
function isSame(a, b) {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

/**
 * @param {string} line
 * @param {(text: string) => Shape} shapeOf
 * @returns {Omit<Field, 'place'>}
 */
function readField(line, shapeOf) {
  const [name, text = 'string', ...marks] = line.trim().split(' ');
  const value = (/** @type {string} */ mark) =>
    marks.find((each) => each.startsWith(`${mark}=`))?.slice(mark.length + 1) ?? '';
  const patch = marks.find((each) => each.startsWith('~')) ?? '';
  const [strategies, mergeKey = ''] = patch.slice(1).split('/');
  const keys = value('keys').split(',');
  const number = marks.find((each) => each.startsWith('#'));
  return {
    name,
    shape: withMarks(shapeOf(text), marks, keys[0] === '' ? [] : keys),
    isPointer: marks.includes('*'),
    isAlwaysWritten: marks.includes('!'),
    preset: value('default') === '' ? undefined : JSON.parse(value('default')),
    patchStrategies: strategies === '' ? [] : strategies.split(','),
    patchMergeKey: mergeKey || (strategies === '' ? '' : keys[0]),
    protobuf: number ? number.slice(1).split('.').map(Number) : [],
  };
}

/** @param {Shape} shape @param {string[]} marks @param {string[]} keys @returns {Shape} */
function withMarks(shape, marks, keys) {
  if (shape.kind === 'list') {
    return { ...shape, keys, isSet: marks.includes('set') };
  }
  if (shape.kind !== 'map' && shape.kind !== 'struct') return shape;
  const isAtomic = marks.includes('atomic') || (shape.kind === 'struct' && shape.isAtomic);
  return { ...shape, isAtomic: isAtomic && !marks.includes('granular') };
}

/** @type {Table | null} */
let table = null;

/**
 * Returns the type of a kind's objects, or null if the kind is not one of Kubernetes' own.
 * @param {string} apiVersion
 * @param {string} kind
 * @returns {Struct | null}
 */
export function structOf(apiVersion, kind) {
  table ??= new Table(KUBERNETES_TYPES);
  return table.struct(apiVersion, kind);
}

/**
 * Returns the shape of a kind's objects; any shape for an unknown kind.
 * @param {string} apiVersion
 * @param {string} kind
 * @returns {Shape}
 */
export function shapeOf(apiVersion, kind) {
  const struct = structOf(apiVersion, kind);
  return struct ? { kind: 'struct', struct, isAtomic: false } : ANY;
}
