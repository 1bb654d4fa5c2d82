/**
 * Evaluates device selectors independently of the engine, for the forms that drivers' manifests
 * use. It is small and slow: it walks the expression's tree for each device.
 */
import { parseSelector } from './selector_parser.js';

/** @import { Expression } from './selector_parser.js' */

/** An error of evaluation, in cel-go's words where they are known. */
export class EvaluationError extends Error {}

/** A version's numbers, and what follows them. */
class Semver {
  /** @param {string} text */
  constructor(text) {
    const match = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(text);
    if (!match) throw new EvaluationError('no semantic version');
    this.numbers = match.slice(1, 4).map(BigInt);
    this.pre = match[4];
  }

  /** @param {Semver} other @returns {number} */
  compareTo(other) {
    const at = this.numbers.findIndex((each, index) => each !== other.numbers[index]);
    if (at >= 0) return this.numbers[at] < other.numbers[at] ? -1 : 1;
    if (this.pre === other.pre) return 0;
    if (this.pre && other.pre) throw new EvaluationError('two pre-releases');
    return this.pre ? -1 : 1;
  }
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

/** An amount, exact to 10⁻⁹. */
export class Amount {
  /** @param {string} text */
  constructor(text) {
    const match = /^([+-]?\d+)(?:\.(\d{1,9}))?([A-Za-z]*)$/.exec(text);
    if (!match) throw new EvaluationError('no quantity');
    const [, whole, fraction = '', suffix] = match;
    const digits = BigInt(whole + fraction.padEnd(9, '0'));
    if (suffix && BINARY.includes(suffix)) {
      this.nanos = digits * 1024n ** BigInt(BINARY.indexOf(suffix));
    } else if (DECIMAL.includes(suffix)) {
      const power = 3 * (DECIMAL.indexOf(suffix) - DECIMAL.indexOf(''));
      this.nanos = power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power);
    } else throw new EvaluationError('no quantity');
  }

  /** @param {Amount} other @returns {number} */
  compareTo(other) {
    return this.nanos < other.nanos ? -1 : Number(this.nanos > other.nanos);
  }
}

/** The names in one domain, or the domains, of which an unknown one is empty. */
class Names {
  /** @param {Map<string, any>} values @param {boolean} [isOuter] */
  constructor(values, isOuter = false) {
    this.values = values;
    this.isOuter = isOuter;
  }

  /** @param {any} key */
  get(key) {
    if (this.values.has(key)) return this.values.get(key);
    if (this.isOuter) return new Names(new Map());
    throw new EvaluationError(`no such key: ${key}`);
  }
}

/**
 * A device as expressions see it.
 *
 * @param {string} driver
 * @param {any} device as in a ResourceSlice
 * @returns {Names}
 */
export function deviceNames(driver, { attributes = {}, capacity = {}, ...device }) {
  return new Names(
    new Map(
      /** @type {[string, any][]} */ ([
        ['driver', driver],
        ['allowMultipleAllocations', device.allowMultipleAllocations ?? false],
        ['attributes', byDomain(driver, attributes, attributeValue)],
        ['capacity', byDomain(driver, capacity, ({ value }) => new Amount(String(value)))],
      ]),
    ),
  );
}

/**
 * @param {string} driver
 * @param {Record<string, any>} entries
 * @param {(value: any) => any} valueOf
 */
function byDomain(driver, entries, valueOf) {
  /** @type {Map<string, Names>} */
  const domains = new Map();
  for (const [name, value] of Object.entries(entries)) {
    const [domain, id] = name.includes('/') ? name.split('/') : [driver, name];
    if (!domains.has(domain)) domains.set(domain, new Names(new Map()));
    domains.get(domain)?.values.set(id, valueOf(value));
  }
  return new Names(domains, true);
}

/** @param {any} attribute */
function attributeValue(attribute) {
  if (attribute.version !== undefined) return new Semver(attribute.version);
  return attribute.int ?? attribute.bool ?? attribute.string;
}

/** @type {Record<string, (of: any, ...args: any[]) => any>} */
const METHODS = {
  contains: (of, part) => text(of).includes(text(part)),
  endsWith: (of, part) => text(of).endsWith(text(part)),
  startsWith: (of, part) => text(of).startsWith(text(part)),
  lowerAscii: (of) => text(of).replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  matches: (of, pattern) => new RegExp(text(pattern)).test(text(of)),
  substring: (of, start, end) => substring([...text(of)], start, end),
  compareTo: (of, other) => compared(of, other),
  isGreaterThan: (of, other) => compared(of, other) > 0,
  isLessThan: (of, other) => compared(of, other) < 0,
};

/** @type {Record<string, (argument: any) => any>} */
const FUNCTIONS = {
  quantity: (value) => new Amount(text(value)),
  semver: (value) => new Semver(text(value)),
  int: (value) => {
    if (typeof value === 'number') return value;
    if (!/^[+-]?\d+$/.test(text(value))) throw new EvaluationError('type conversion error');
    return Number(value);
  },
};

/** @param {any} value @returns {string} */
function text(value) {
  if (typeof value !== 'string') throw new EvaluationError('no such overload');
  return value;
}

/** @param {string[]} letters @param {any} start @param {any} end @returns {string} */
function substring(letters, start, end = letters.length) {
  if (start < 0 || end > letters.length || start > end)
    throw new EvaluationError('index out of range');
  return letters.slice(start, end).join('');
}

/** @param {any} left @param {any} right @returns {number} */
function compared(left, right) {
  const isPair = [Amount, Semver].some((type) => left instanceof type && right instanceof type);
  if (!isPair) throw new EvaluationError('no such overload');
  return left.compareTo(right);
}

/** @param {any} left @param {any} right @returns {boolean} */
function equal(left, right) {
  const isSame = typeof left === 'object' && left?.constructor === right?.constructor;
  return isSame ? compared(left, right) === 0 : left === right;
}

/** @param {any} left @param {any} right @returns {number} */
function ordered(left, right) {
  const isOrdered = typeof left === typeof right && ['number', 'string'].includes(typeof left);
  if (!isOrdered) throw new EvaluationError('no such overload');
  return left < right ? -1 : Number(left > right);
}

/** @type {Record<string, (left: any, right: any) => boolean>} */
const OPERATORS = {
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '<': (left, right) => ordered(left, right) < 0,
  '<=': (left, right) => ordered(left, right) <= 0,
  '>': (left, right) => ordered(left, right) > 0,
  '>=': (left, right) => ordered(left, right) >= 0,
  in: (left, right) => {
    if (right instanceof Names) return right.values.has(left);
    if (!Array.isArray(right)) throw new EvaluationError('no such overload');
    return right.some((each) => equal(left, each));
  },
};

/**
 * `&&` and `||`: an error counts only if the other side does not decide.
 *
 * @param {boolean} decisive the value that decides
 * @param {(() => any)[]} sides
 * @returns {boolean}
 */
function logical(decisive, sides) {
  /** @type {EvaluationError | undefined} */
  let fault;
  for (const side of sides) {
    try {
      const value = side();
      if (value === decisive) return decisive;
      if (typeof value !== 'boolean') throw new EvaluationError('no such overload');
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      fault ??= error;
    }
  }
  if (fault) throw fault;
  return !decisive;
}

/** @param {Expression} expression @param {Names} device @returns {any} */
function valueIn(expression, device) {
  const value = (/** @type {Expression} */ inner) => valueIn(inner, device);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'name':
      if (expression.name !== 'device') throw new EvaluationError('undeclared reference');
      return device;
    case 'list':
      return expression.items.map(value);
    case 'field':
      return member(value(expression.of), expression.name);
    case 'index':
      return member(value(expression.of), value(expression.at));
    case 'not':
      return !value(expression.of);
    case 'call':
      return called(expression, value);
    default: {
      const { name, left, right } = expression;
      const sides = [() => value(left), () => value(right)];
      if (name === '&&' || name === '||') return logical(name === '||', sides);
      return OPERATORS[name](sides[0](), sides[1]());
    }
  }
}

/** @param {any} of @param {any} key */
function member(of, key) {
  if (!(of instanceof Names)) throw new EvaluationError('no such overload');
  return of.get(key);
}

/**
 * @param {Expression & { kind: 'call' }} call
 * @param {(inner: Expression) => any} value
 */
function called({ name, of, args }, value) {
  if (name === 'has' && !of) {
    const [field] = args;
    if (field?.kind !== 'field') throw new EvaluationError('invalid argument to has() macro');
    return value(field.of).values.has(field.name);
  }
  const [known, values] = of
    ? [METHODS[name], [value(of), ...args.map(value)]]
    : [FUNCTIONS[name], args.map(value)];
  if (!known) throw new EvaluationError('undeclared reference');
  return /** @type {(...values: any[]) => any} */ (known)(...values);
}

/** @type {Map<string, Expression>} */
const parsed = new Map();

/** @param {string} selector @returns {Expression} */
function parsedOnce(selector) {
  const expression = parsed.get(selector) ?? parseSelector(selector);
  parsed.set(selector, expression);
  return expression;
}

/**
 * @param {string} selector
 * @param {Names} device
 * @returns {boolean}
 * @throws {EvaluationError}
 * @throws {import('./selector_parser.js').SelectorSyntaxError}
 */
export function accepts(selector, device) {
  const result = valueIn(parsedOnce(selector), device);
  if (typeof result !== 'boolean') throw new EvaluationError('the result is no bool');
  return result;
}
