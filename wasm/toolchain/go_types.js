/**
 * Parses Go's struct types as Kubernetes writes them, with tags in the fields and markers in the
 * comments.
 */

/**
 * @typedef {object} GoField
 * @property {string} name  in JSON
 * @property {string} shape a basic type; or '', '[]', 'map[]' in front of `refers`
 * @property {string | null} refers  another type, by package and name
 * @property {string[]} marks  see js/apiserver/schema/types.js
 */

/** @typedef {{fields: GoField[], isAtomic: boolean}} GoType */

/**
 * @typedef {object} Field  one line of a struct
 * @property {string} goType
 * @property {string} json  its tag
 * @property {string} strategy  its patchStrategy tag
 * @property {string} mergeKey  its patchMergeKey tag
 * @property {string} number of its protobuf tag; '' if it has none
 * @property {string[]} markers
 */

/** Types whose JSON is a single value, with that value's type. */
const BASIC = new Map([
  ['string', 'string'],
  ['bool', 'bool'],
  ['int', 'int64'],
  ['int32', 'int32'],
  ['int64', 'int64'],
  ['float64', 'float64'],
  ['byte', 'byte'],
  ['[]byte', 'bytes'],
  ['k8s.io/apimachinery/pkg/types.UID', 'string'],
  ['k8s.io/apimachinery/pkg/types.NodeName', 'string'],
  ['k8s.io/apimachinery/pkg/api/resource.Quantity', 'Quantity'],
  ['k8s.io/apimachinery/pkg/util/intstr.IntOrString', 'IntOrString'],
  ['k8s.io/apimachinery/pkg/runtime.RawExtension', 'any'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.Time', 'Time'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime', 'MicroTime'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.Duration', 'string'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1', 'any'],
]);

const TYPE = /^type (\w+) (?:= )?(.+)$/;
const FIELD = /^\s+(?:(\w+)\s+)?([\w.*[\]]+)\s+`(.*)`/;
const MARKER = /^\s*\/\/ \+(\w+=.+)$/;

/**
 * @param {{folder: string, text: string}[]} sources  Go packages by their import path
 * @returns {Map<string, GoType>} by package and name, with embedded structs replaced by their
 *   fields
 */
export function parseGoTypes(sources) {
  /** @type {Map<string, {fields: Field[], markers: string[], imports: Map<string, string>}>} */
  const structs = new Map();
  /** @type {Map<string, string>} */
  const named = new Map(BASIC);
  for (const { folder, text } of sources) parsePackage({ folder, text, structs, named });
  /** @type {Map<string, GoType>} */
  const types = new Map();
  const fieldsOf = (/** @type {string} */ name) => {
    const { fields } = known(structs, name);
    return fields.flatMap((field) => fieldOrEmbedded(field, { structs, named, fieldsOf }));
  };
  for (const [name, { markers }] of structs) {
    if (BASIC.has(name)) continue;
    types.set(name, { fields: fieldsOf(name), isAtomic: markers.includes('structType=atomic') });
  }
  return types;
}

/** @template T @param {Map<string, T>} map @param {string} name @returns {T} */
function known(map, name) {
  const found = map.get(name);
  if (found === undefined) throw new Error(`no Go type ${name}`);
  return found;
}

/**
 * @param {{folder: string, text: string, structs: Map<string, any>,
 *   named: Map<string, string>}} options
 */
function parsePackage({ folder, text, structs, named }) {
  const imports = new Map(
    [...text.matchAll(/^\s+(\w+)?\s*"(k8s\.io\/[^"]+)"$/gm)].map(([, alias, path]) => [
      alias ?? path.replace(/^.*\//, ''),
      path,
    ]),
  );
  /** @param {string} goType  as written @returns {string} with full paths */
  const full = (goType) =>
    goType.replace(/((?:\*|\[\]|map\[[\w.]+\])*)(?:(\w+)\.)?(\w+)$/, (_, front, module, name) => {
      if (module) return `${front}${imports.get(module) ?? module}.${name}`;
      return `${front}${BASIC.has(name) ? name : `${folder}.${name}`}`;
    });
  /** @type {{fields: Field[], markers: string[]} | null} */
  let struct = null;
  /** @type {string[]} */
  let markers = [];
  for (const line of text.split('\n')) {
    const type = TYPE.exec(line);
    const field = struct && FIELD.exec(line);
    const marker = MARKER.exec(line);
    if (marker) markers.push(marker[1]);
    else if (type) {
      const [, name, definition] = type;
      struct = definition.startsWith('struct {') ? { fields: [], markers } : null;
      if (struct) structs.set(`${folder}.${name}`, struct);
      else named.set(`${folder}.${name}`, full(definition.replace(/\s*\/\/.*$/, '')));
      markers = [];
    } else if (field && struct) {
      struct.fields.push({ ...tagsOf(field[3]), goType: full(field[2]), markers });
      markers = [];
    } else if (line.startsWith('}')) {
      struct = null;
      markers = [];
    }
  }
}

/** @param {string} text @returns {Omit<Field, 'goType' | 'markers'>} */
function tagsOf(text) {
  const tag = (/** @type {string} */ name) =>
    new RegExp(`(?:^| )${name}:"([^"]*)"`).exec(text)?.[1] ?? '';
  return {
    json: tag('json'),
    strategy: tag('patchStrategy'),
    mergeKey: tag('patchMergeKey'),
    number: tag('protobuf').split(',')[1] ?? '',
  };
}

/**
 * @param {Field} field
 * @param {{structs: Map<string, any>, named: Map<string, string>,
 *   fieldsOf: (name: string) => GoField[]}} known
 * @returns {GoField[]}
 */
function fieldOrEmbedded(field, { structs, named, fieldsOf }) {
  const [name, ...options] = field.json.split(',');
  if (name === '-') return [];
  if (name === '') return fieldsOf(field.goType).map((part) => embedded(part, field.number));
  const isPointer = field.goType.startsWith('*');
  const { shape, element, isStruct } = shapeOf(field.goType.replace(/^\*/, ''), structs, named);
  const marks = [
    ...(isPointer ? ['*'] : []),
    ...(isAlwaysWritten(options, isPointer, isStruct) ? ['!'] : []),
    ...listMarks(field.markers),
    ...patchMarks(field),
    ...(field.number ? [`#${field.number}`] : []),
  ];
  const isReference = structs.has(element) && !BASIC.has(element);
  return [
    {
      name,
      shape: isReference ? shape : `${shape}${element}`,
      refers: isReference ? element : null,
      marks,
    },
  ];
}

/**
 * A field of an embedded struct: JSON inlines it, protobuf has it in a message of its own, if that
 * message has a number.
 *
 * @param {GoField} field
 * @param {string} number
 * @returns {GoField}
 */
function embedded(field, number) {
  const marks = field.marks.flatMap((mark) => {
    if (!mark.startsWith('#')) return [mark];
    return number ? [`#${number}.${mark.slice(1)}`] : [];
  });
  return { ...field, marks };
}

/** @param {string[]} options @param {boolean} isPointer @param {boolean} isStruct */
function isAlwaysWritten(options, isPointer, isStruct) {
  if (options.includes('omitzero')) return false;
  return !options.includes('omitempty') || (isStruct && !isPointer);
}

/**
 * @param {string} goType
 * @param {Map<string, any>} structs
 * @param {Map<string, string>} named
 * @returns {{shape: string, element: string, isStruct: boolean}}
 */
function shapeOf(goType, structs, named) {
  const basic = BASIC.get(goType);
  if (basic) return { shape: '', element: basic, isStruct: /^[A-Z]/.test(basic) };
  if (structs.has(goType)) return { shape: '', element: goType, isStruct: true };
  const list = /^(\[\]|map\[[^\]]+\])\*?(.+)$/.exec(goType);
  if (list) {
    const inner = shapeOf(list[2], structs, named);
    const front = list[1] === '[]' ? '[]' : 'map[]';
    return { shape: `${front}${inner.shape}`, element: inner.element, isStruct: false };
  }
  return shapeOf(known(named, goType), structs, named);
}

/** @param {string[]} markers */
function listMarks(markers) {
  const values = (/** @type {string} */ name) =>
    markers.filter((marker) => marker.startsWith(`${name}=`)).map((marker) => marker.split('=')[1]);
  const [listType] = values('listType');
  const [mapType] = [...values('mapType'), ...values('structType')];
  const [preset] = values('default').map((text) => text.replace(/[`\s]/g, ''));
  return [
    ...(listType === 'map' ? [`keys=${values('listMapKey').join(',')}`] : []),
    ...(listType === 'set' ? ['set'] : []),
    ...(mapType ? [mapType] : []),
    ...(preset && !preset.startsWith('ref(') ? [`default=${preset}`] : []),
  ];
}

/** A merge key is left out if it is the list's only key. @param {Field} field */
function patchMarks({ strategy, mergeKey, markers }) {
  if (!strategy) return [];
  const [first] = markers.filter((marker) => marker.startsWith('listMapKey='));
  const isFirst = first === `listMapKey=${mergeKey}`;
  return [`~${strategy}${mergeKey && !isFirst ? `/${mergeKey}` : ''}`];
}
