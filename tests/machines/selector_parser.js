/** A parser for the expressions of device selectors: the forms that drivers' manifests use. */

/**
 * @typedef {{ kind: 'literal', value: string | number | boolean }
 *   | { kind: 'name', name: string }
 *   | { kind: 'list', items: Expression[] }
 *   | { kind: 'field', of: Expression, name: string }
 *   | { kind: 'index', of: Expression, at: Expression }
 *   | { kind: 'call', name: string, of?: Expression, args: Expression[] }
 *   | { kind: 'not', of: Expression }
 *   | { kind: 'operator', name: string, left: Expression, right: Expression }} Expression
 */

/** The expression has a syntax error. */
export class SelectorSyntaxError extends Error {}

const TOKENS = [
  /(&&|\|\||[=!<>]=|[<>!.,()[\]-])/,
  /(\d+)/,
  /([A-Za-z_]\w*)/,
  /"((?:[^"\\\n]|\\.)*)"/,
  /'((?:[^'\\\n]|\\.)*)'/,
];
const TOKEN = new RegExp(`\\s*(?:${TOKENS.map(({ source }) => source).join('|')})`, 'gy');

/** @typedef {{ type: 'mark' | 'int' | 'name' | 'text' | 'end', text: string }} Token */

/** @param {string} text @returns {Token[]} */
function tokensOf(text) {
  /** @type {Token[]} */
  const tokens = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (!match) throw new SelectorSyntaxError('unknown token');
    const [, mark, int, name, double, single] = match;
    if (mark) tokens.push({ type: 'mark', text: mark });
    else if (int) tokens.push({ type: 'int', text: int });
    else if (name) tokens.push({ type: 'name', text: name });
    else tokens.push({ type: 'text', text: unescaped(double ?? single) });
  }
  return [...tokens, { type: 'end', text: '' }];
}

/** @param {string} text */
function unescaped(text) {
  return text.replace(/\\(.)/g, (_, /** @type {string} */ character) => {
    if (!'\\\'"'.includes(character)) throw new SelectorSyntaxError(`escape \\${character}`);
    return character;
  });
}

/** From the weakest to the strongest; all are left-associative. */
const LEVELS = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in']];

class Parser {
  #tokens;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#tokens = tokensOf(text);
  }

  /** @returns {Expression} */
  whole() {
    const expression = this.#operators(0);
    if (this.#tokens[this.#at].type !== 'end') throw new SelectorSyntaxError('surplus tokens');
    return expression;
  }

  /** @param {number} level @returns {Expression} */
  #operators(level) {
    if (level === LEVELS.length) return this.#unary();
    let left = this.#operators(level + 1);
    for (;;) {
      const name = LEVELS[level].find((each) => this.#takes(each));
      if (!name) return left;
      left = { kind: 'operator', name, left, right: this.#operators(level + 1) };
    }
  }

  /** @returns {Expression} */
  #unary() {
    if (this.#takes('!')) return { kind: 'not', of: this.#unary() };
    return this.#members(this.#primary());
  }

  /** @param {Expression} of @returns {Expression} */
  #members(of) {
    if (this.#takes('.')) {
      const name = this.#take('name');
      return this.#members(
        this.#takes('(') ? { kind: 'call', name, of, args: this.#list(')') } : field(of, name),
      );
    }
    if (this.#takes('[')) {
      const [at, ...others] = this.#list(']');
      if (!at || others.length > 0) throw new SelectorSyntaxError('an index has one value');
      return this.#members({ kind: 'index', of, at });
    }
    return of;
  }

  /** @returns {Expression} */
  #primary() {
    if (this.#takes('(')) {
      const inner = this.#operators(0);
      if (!this.#takes(')')) throw new SelectorSyntaxError('missing )');
      return inner;
    }
    if (this.#takes('[')) return { kind: 'list', items: this.#list(']') };
    const { type, text } = this.#tokens[this.#at];
    if (type === 'text') return this.#literal(text);
    if (type === 'int') return this.#literal(Number(text));
    const name = this.#take('name');
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true' };
    if (this.#takes('(')) return { kind: 'call', name, args: this.#list(')') };
    return { kind: 'name', name };
  }

  /** @param {string | number} value @returns {Expression} */
  #literal(value) {
    this.#at += 1;
    return { kind: 'literal', value };
  }

  /** The rest of a list after its first bracket. @param {string} end @returns {Expression[]} */
  #list(end) {
    /** @type {Expression[]} */
    const items = [];
    while (!this.#takes(end)) {
      if (items.length > 0 && !this.#takes(',')) throw new SelectorSyntaxError(`missing ${end}`);
      items.push(this.#operators(0));
    }
    return items;
  }

  /** Takes a mark, or the operator `in`. @param {string} text */
  #takes(text) {
    const token = this.#tokens[this.#at];
    const matches = token.text === text && (token.type === 'mark' || text === 'in');
    if (!matches || token.type === 'text') return false;
    this.#at += 1;
    return true;
  }

  /** @param {Token['type']} type @returns {string} */
  #take(type) {
    const token = this.#tokens[this.#at];
    if (token.type !== type || token.text === 'in')
      throw new SelectorSyntaxError(`${token.text} in place of a ${type}`);
    this.#at += 1;
    return token.text;
  }
}

/** @param {Expression} of @param {string} name @returns {Expression} */
function field(of, name) {
  return { kind: 'field', of, name };
}

/**
 * @param {string} text
 * @returns {Expression}
 * @throws {SelectorSyntaxError}
 */
export function parseSelector(text) {
  return new Parser(text).whole();
}
