/**
 * Label selectors: the parser of a query, and the object form in specs. Counterpart:
 * apimachinery/pkg/labels/selector.go, v1.36.
 */
import { int64Of } from './int64.js';
import { meets } from './requirement.js';
import { itemsIn, own } from './values.js';
import { badRequest } from './status_errors.js';
import { labelKeyFaults, labelValueFaults } from './names.js';

/** @import { Operator } from './requirement.js' */

/**
 * @typedef {object} Requirement
 * @property {string} key
 * @property {Operator} operator
 * @property {string[]} values
 */

/** @typedef {Record<string, string | null> | null | undefined} Labels */

/** Requirements that must all be met. */
export class LabelSelector {
  /** Kubernetes' message if it is invalid; null if it is valid. @type {string | null} */
  fault = null;
  #requirements;

  /** @param {Requirement[]} requirements */
  constructor(requirements) {
    this.#requirements = requirements;
  }

  /** Whether it selects all objects. */
  get isEmpty() {
    return this.#requirements.length === 0;
  }

  /** @param {Labels} labels */
  matches(labels) {
    return this.#requirements.every((requirement) =>
      meets(labelOf(labels, requirement.key), requirement),
    );
  }
}

/**
 * Returns the value of a label; null in JSON is an empty text.
 * @param {Labels} labels
 * @param {string} key
 * @returns {string | undefined} undefined if there is no such label
 */
export function labelOf(labels, key) {
  const value = own(labels, key);
  return value === null ? '' : value;
}

/**
 * Parses the `labelSelector` of a query.
 * @param {string} text
 * @returns {LabelSelector}
 * @throws {import('./api_error.js').ApiError} 400 in the server's words
 */
export function parseLabelSelector(text) {
  return new LabelSelector(new Parser(tokensOf(text)).parse());
}

/**
 * Reads a `metav1.LabelSelector`. An absent or invalid one selects no object, an empty one all.
 * @param {{ matchLabels?: Labels, matchExpressions?: ({ key: string, operator: string, values?:
 *   (string | null)[] | null } | null)[] | null } | null | undefined} selector
 * @returns {Pick<LabelSelector, 'isEmpty' | 'matches' | 'fault'>}
 */
export function labelSelectorOf(selector) {
  if (!selector) return nothing(null);
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = [
    ...labels.map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...itemsIn(selector.matchExpressions).map((one) => one ?? NO_EXPRESSION),
  ];
  const [fault] = expressions.flatMap((one) =>
    OPERATORS.has(one.operator)
      ? faultsOf(requirementOf(one))
      : [`"${one.operator ?? ''}" is not a valid label selector operator`],
  );
  return fault === undefined ? new LabelSelector(expressions.map(requirementOf)) : nothing(fault);
}

/**
 * @param {any} expression with a known operator
 * @returns {Requirement}
 */
function requirementOf({ key, operator, values }) {
  return {
    key: key ?? '',
    operator: OPERATORS.has(operator) ? operator : 'In',
    values: itemsIn(values).map((value) => value ?? ''),
  };
}

/** The meaning of null. */
const NO_EXPRESSION = Object.freeze({});

/** @param {string | null} fault */
function nothing(fault) {
  return { isEmpty: false, matches: () => false, fault };
}

/**
 * Returns the errors of a requirement.
 * @param {Requirement} requirement
 * @returns {string[]}
 */
function faultsOf({ key, operator, values }) {
  const isOfMany = operator === 'In' || operator === 'NotIn';
  const list = `values: Invalid value: ${JSON.stringify(values)}: `;
  return [
    ...labelKeyFaults(key).map((fault) => `key: Invalid value: ${JSON.stringify(key)}: ${fault}`),
    ...(isOfMany && values.length === 0
      ? ["values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"]
      : []),
    ...(!isOfMany && values.length > 0
      ? [`${list}values set must be empty for exists and does not exist`]
      : []),
    ...values.flatMap((value, index) =>
      labelValueFaults(value).map(
        (fault) => `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${fault}`,
      ),
    ),
  ];
}

/** The operators of a `metav1.LabelSelector`. */
const OPERATORS = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/**
 * Writes a `metav1.LabelSelector` as the text of a query.
 * @param {any} selector
 * @returns {string} `a=1,b in (x,y)`; empty if it has no requirement
 */
export function labelSelectorText(selector) {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(
    ([key, value]) => /** @type {[string, string]} */ ([key, `${key}=${value ?? ''}`]),
  );
  const expressions = itemsIn(selector?.matchExpressions).map(
    (expression) => /** @type {[string, string]} */ ([expression.key, expressionText(expression)]),
  );
  return [...labels, ...expressions]
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, requirement]) => requirement)
    .join(',');
}

/** @param {any} expression */
function expressionText({ key, operator, values }) {
  const texts = itemsIn(values).map((value) => value ?? '');
  const list = `(${texts.sort().join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${list}`;
    case 'NotIn':
      return `${key} notin ${list}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}

/** @typedef {{ kind: string, text: string }} Token `kind` is the text, `id`, `end` or `error` */

const SYMBOLS = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const KEYWORDS = new Set(['in', 'notin']);
const BINARY = 'in, notin, =, ==, !=, gt, lt';

/**
 * @param {string} text
 * @returns {Token[]}
 */
function tokensOf(text) {
  /** @type {Token[]} */
  const tokens = [];
  for (const [part] of text.matchAll(/[=!(),<>]+|[^\s=!(),<>]+/g)) {
    if (!/^[=!(),<>]/.test(part))
      tokens.push({ kind: KEYWORDS.has(part) ? part : 'id', text: part });
    else for (const symbol of symbolsOf(part)) tokens.push(symbol);
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

/** Yields symbols from the left, the longest match first. @param {string} text */
function* symbolsOf(text) {
  for (let at = 0; at < text.length;) {
    const two = text.slice(at, at + 2);
    const symbol = SYMBOLS.has(two) ? two : text[at];
    yield { kind: symbol, text: symbol };
    at += symbol.length;
  }
}

class Parser {
  #tokens;
  #at = 0;

  /** @param {Token[]} tokens */
  constructor(tokens) {
    this.#tokens = tokens;
  }

  parse() {
    /** @type {Requirement[]} */
    const requirements = [];
    for (;;) {
      const token = this.#next();
      if (token.kind === 'end') return requirements;
      if (token.kind !== 'id' && token.kind !== '!') {
        throw expected(token, "!, identifier, or 'end of string'");
      }
      requirements.push(this.#requirement());
      const after = this.#take();
      if (after.kind === 'end') return requirements;
      if (after.kind !== ',') throw expected(after, "',' or 'end of string'");
      const follower = this.#next();
      if (follower.kind !== 'id' && follower.kind !== '!') {
        throw expected(follower, "identifier after ','");
      }
    }
  }

  /** Consumes the next token; in a value's place `in` is a value. */
  #next() {
    const token = this.#tokens[Math.min(this.#at, this.#tokens.length - 1)];
    return KEYWORDS.has(token.kind) ? { ...token, kind: 'id' } : token;
  }

  #take() {
    const token = this.#next();
    this.#at += 1;
    return token;
  }

  /** @returns {Requirement} */
  #requirement() {
    const isNegated = this.#next().kind === '!';
    if (isNegated) this.#take();
    const key = this.#take();
    if (key.kind !== 'id') throw unparsable(`found '${key.text}', expected: identifier`);
    checkKey(key.text);
    const follower = this.#next().kind;
    if (isNegated) return { key: key.text, operator: 'DoesNotExist', values: [] };
    if (follower === 'end' || follower === ',') {
      return { key: key.text, operator: 'Exists', values: [] };
    }
    return this.#comparison(key.text);
  }

  /**
   * @param {string} key
   * @returns {Requirement}
   */
  #comparison(key) {
    const { kind, text } = this.#tokens[this.#at++];
    switch (kind) {
      case 'in':
        return checked({ key, operator: 'In', values: this.#values() });
      case 'notin':
        return checked({ key, operator: 'NotIn', values: this.#values() });
      case '=':
      case '==':
        return checked({ key, operator: 'In', values: [this.#exactValue()] });
      case '!=':
        return checked({ key, operator: 'NotIn', values: [this.#exactValue()] });
      case '>':
        return checked({ key, operator: 'Gt', values: [this.#exactValue()] });
      case '<':
        return checked({ key, operator: 'Lt', values: [this.#exactValue()] });
      default:
        throw unparsable(`found '${text}', expected: ${BINARY}`);
    }
  }

  #exactValue() {
    const { kind } = this.#next();
    if (kind === 'end' || kind === ',') return '';
    const value = this.#take();
    if (value.kind !== 'id') throw unparsable(`found '${value.text}', expected: identifier`);
    return value.text;
  }

  /** Parses `(a,b)`; an empty place between commas is an empty value. */
  #values() {
    const open = this.#take();
    if (open.kind !== '(') throw unparsable(`found '${open.text}' expected: '('`);
    /** @type {Set<string>} */
    const values = new Set();
    for (let isValue = true; ;) {
      const token = this.#take();
      if (token.kind === 'id' && isValue) {
        values.add(token.text);
        isValue = false;
      } else if (token.kind === ',' || token.kind === ')') {
        if (isValue) values.add('');
        if (token.kind === ')') return [...values];
        isValue = true;
      } else {
        const wanted = isValue ? "',', ')' or identifier" : "',' or ')'";
        throw unparsable(`found '${token.text}', expected: ${wanted}`);
      }
    }
  }
}

/** @param {string} key */
function checkKey(key) {
  const faults = labelKeyFaults(key);
  if (faults.length > 0) {
    throw unparsable(`<nil>: Invalid value: "${key}": ${faults.join('; ')}`);
  }
}

/**
 * @param {Requirement} requirement
 * @returns {Requirement}
 */
function checked(requirement) {
  const { key, operator, values } = requirement;
  for (const value of values) {
    if ((operator === 'Gt' || operator === 'Lt') && int64Of(value) === undefined) {
      const detail = `for 'Gt', 'Lt' operators, the value must be an integer`;
      throw unparsable(`values[0]: Invalid value: "${value}": ${detail}`);
    }
    const faults = labelValueFaults(value);
    if (faults.length > 0) {
      throw unparsable(`values[0][${key}]: Invalid value: "${value}": ${faults.join('; ')}`);
    }
  }
  return requirement;
}

/**
 * @param {Token} token
 * @param {string} what
 */
function expected({ text }, what) {
  return badRequest(`found '${text}', expected: ${what}`);
}

/** @param {string} message */
function unparsable(message) {
  return badRequest(`unable to parse requirement: ${message}`);
}
