/**
 * The part of JSON Schema that js/schema uses, and no more: an unknown keyword is an error, so that
 * nothing in the schema goes unchecked.
 */

const ANNOTATIONS = new Set(['$schema', '$id', '$defs', 'title', 'description']);

/**
 * @type {Record<string, (rule: any, value: any, path: string, check: (rule: any, value: any, path:
 *   string) => string[]) => string[]>}
 */
const KEYWORDS = {
  type: (types, value, path) =>
    [types].flat().some((type) => isOf(type, value)) ? [] : [`${path} is not ${types}`],
  const: (wanted, value, path) => (value === wanted ? [] : [`${path} is not ${wanted}`]),
  enum: (wanted, value, path) => (wanted.includes(value) ? [] : [`${path} is none of ${wanted}`]),
  pattern: (pattern, value, path) =>
    typeof value !== 'string' || new RegExp(pattern).test(value)
      ? []
      : [`${path} does not match ${pattern}`],
  minimum: (least, value, path) => (value >= least ? [] : [`${path} is less than ${least}`]),
  maxItems: (most, value, path) =>
    value.length <= most ? [] : [`${path} has more than ${most} items`],
  required: (names, value, path) =>
    names.filter((name) => !(name in Object(value))).map((name) => `${path}.${name} is missing`),
  properties: (rules, value, path, check) =>
    Object.entries(rules).flatMap(([name, rule]) =>
      name in Object(value) ? check(rule, value[name], `${path}.${name}`) : [],
    ),
  additionalProperties: (rule, value, path, check) =>
    Object.entries(Object(value)).flatMap(([name, item]) => check(rule, item, `${path}.${name}`)),
  items: (rule, value, path, check) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => check(rule, item, `${path}[${index}]`))
      : [],
  allOf: (rules, value, path, check) => rules.flatMap((rule) => check(rule, value, path)),
  oneOf: (rules, value, path, check) => {
    const failures = rules.map((rule) => check(rule, value, path));
    return failures.filter((errors) => errors.length === 0).length === 1
      ? []
      : [`${path} is not exactly one of the kinds`, ...failures.flat()];
  },
};

/**
 * @param {any} schema
 * @param {unknown} value
 * @returns {string[]} what is wrong
 */
export function validate(schema, value) {
  const check = (/** @type {any} */ rule, /** @type {any} */ it, /** @type {string} */ path) =>
    Object.entries(rule).flatMap(([keyword, argument]) => {
      if (ANNOTATIONS.has(keyword)) return [];
      if (keyword === '$ref')
        return check(schema.$defs[argument.replace('#/$defs/', '')], it, path);
      if (!KEYWORDS[keyword]) throw new Error(`unknown keyword ${keyword}`);
      return KEYWORDS[keyword](argument, it, path, check);
    });
  return check(schema, value, '$');
}

function isOf(type, value) {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
