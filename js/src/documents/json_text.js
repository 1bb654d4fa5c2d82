/** Numbers and words: values that are neither strings nor containers. */
const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** The text is not JSON from this position. */
export class JsonSyntaxError extends Error {
  /**
   * @param {string} message
   * @param {number} offset in UTF-16 units
   */
  constructor(message, offset) {
    super(message);
    this.offset = offset;
  }
}

/**
 * The known part of a container: the starts of its values, by key or index, and the last one.
 * @typedef {{ values: Map<string | number, number>, count: number, last: number }} Passed
 */

/**
 * JsonScanner walks JSON text without building values: to cut consecutive documents, to find the
 * position of a field, and to find syntax errors. It does not recurse, and scans each container
 * only once, however many fields are looked up.
 */
export class JsonScanner {
  #text;
  /** By the container's start. @type {Map<number, Passed>} */
  #passed = new Map();

  /** The position of the next character. */
  at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** Moves past white space. @returns {boolean} whether any text follows */
  skipSpace() {
    while (' \t\n\r'.includes(this.#text[this.at] ?? 'x')) this.at += 1;
    return this.at < this.#text.length;
  }

  /**
   * Moves past one value.
   * @throws {JsonSyntaxError}
   */
  skipValue() {
    /** @type {('}' | ']')[]} */
    const open = [];
    do {
      this.skipSpace();
      if (!this.#enterContainer(open)) {
        this.#skipLiteral();
        this.#leaveContainers(open);
      }
    } while (open.length > 0);
  }

  /**
   * Moves to the value at a path of keys and indexes, or to its deepest existing part.
   * @param {(string | number)[]} path
   */
  find(path) {
    for (const step of path) {
      this.skipSpace();
      if (!this.#findStep(step)) return;
    }
    this.skipSpace();
  }

  /**
   * Opens a container and moves to its first value, or past it if it is empty.
   * @param {('}' | ']')[]} open
   * @returns {boolean} whether a value has to follow; otherwise everything that was open is closed
   */
  #enterContainer(open) {
    const first = this.#text[this.at];
    if (first !== '{' && first !== '[') return false;
    const close = first === '{' ? '}' : ']';
    this.at += 1;
    this.skipSpace();
    open.push(close);
    if (this.#text[this.at] === close) this.#leaveContainers(open);
    else if (close === '}') this.#skipKey();
    return true;
  }

  /**
   * After a value: moves past all containers that close here, and past the comma and key before the
   * next value.
   * @param {('}' | ']')[]} open
   */
  #leaveContainers(open) {
    while (open.length > 0) {
      this.skipSpace();
      const close = open[open.length - 1];
      const next = this.#text[this.at];
      if (next !== ',' && next !== close) throw this.#unexpected(`"," or "${close}"`);
      this.at += 1;
      if (next === close) {
        open.pop();
        continue;
      }
      this.skipSpace();
      if (close === '}') this.#skipKey();
      return;
    }
  }

  #skipKey() {
    if (this.#text[this.at] !== '"') throw this.#unexpected('a key in double quotes');
    this.#skipString();
    this.skipSpace();
    if (this.#text[this.at] !== ':') throw this.#unexpected('":"');
    this.at += 1;
  }

  #skipLiteral() {
    if (this.#text[this.at] === '"') {
      this.#skipString();
      return;
    }
    LITERAL.lastIndex = this.at;
    const match = LITERAL.exec(this.#text);
    if (!match) throw this.#unexpected('a value');
    this.at += match[0].length;
  }

  #skipString() {
    const start = this.at;
    for (this.at += 1; this.at < this.#text.length; this.at += 1) {
      const unit = this.#text.charCodeAt(this.at);
      if (unit === 0x22) {
        this.at += 1;
        return;
      }
      if (unit < 0x20) throw this.#unexpected('no control character inside a string');
      if (unit === 0x5c) this.#skipEscape();
    }
    this.at = start;
    throw new JsonSyntaxError('this string never ends', start);
  }

  #skipEscape() {
    const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
    escape.lastIndex = this.at;
    const match = escape.exec(this.#text);
    if (!match) throw this.#unexpected('an escape such as \\n or \\u0041');
    this.at += match[0].length - 1;
  }

  /**
   * @param {string | number} step
   * @returns {boolean} whether the value exists; otherwise the position stays on the container
   */
  #findStep(step) {
    const start = this.at;
    if (this.#text[start] !== (typeof step === 'number' ? '[' : '{')) return false;
    let passed = this.#passed.get(start);
    if (!passed) this.#passed.set(start, (passed = { values: new Map(), count: 0, last: -1 }));
    while (!passed.values.has(step)) {
      if (!this.#moveToNext(start, passed)) {
        this.at = start;
        return false;
      }
      const key = typeof step === 'string' ? this.#readKey() : passed.count;
      if (!passed.values.has(key)) passed.values.set(key, this.at);
      passed.count += 1;
      passed.last = this.at;
    }
    this.at = passed.values.get(step) ?? start;
    return true;
  }

  /**
   * @param {number} start of the container
   * @param {Passed} passed
   * @returns {boolean} whether there is another value, or key
   */
  #moveToNext(start, { last }) {
    this.at = last < 0 ? start + 1 : last;
    if (last >= 0) this.skipValue();
    this.skipSpace();
    if (this.#text[this.at] === ',') this.at += 1;
    return this.skipSpace() && !']}'.includes(this.#text[this.at]);
  }

  #readKey() {
    const start = this.at;
    this.#skipKey();
    const key = this.#text.slice(start, this.#text.lastIndexOf('"', this.at - 1) + 1);
    return JSON.parse(key);
  }

  /** @param {string} wanted */
  #unexpected(wanted) {
    const found = this.#text[this.at];
    const what = found === undefined ? 'the end of the text' : JSON.stringify(found);
    return new JsonSyntaxError(`${what} where ${wanted} is expected`, this.at);
  }
}
