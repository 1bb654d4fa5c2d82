/** References to the specification in core/spec, and links of Markdown files. */
import { posix } from 'node:path';

import { lineAt } from './source.js';

/** @typedef {import('./files.js').Finding} Finding */

/**
 * What a file of the specification offers to references.
 *
 * @typedef {object} Part
 * @property {Set<string>} sections  numbers of headings: "7", "10.2"
 * @property {string[]} headings  their texts, numbers included
 * @property {Set<string>} anchors  by which links reach them
 */

/** Files by their path below core/spec. @typedef {Map<string, Part>} Specification */

export const FOLDER = 'core/spec/';

/** Between words, also where a comment goes on in the next line. */
const GAP = String.raw`(?:[ \t]*\n[ \t]*(?:\/\/+|\*|#)?[ \t]*|[ \t]+)`;
const NAME = String.raw`\d\d(?!\d)|plugins\/[\w-]+(?:\.md)?`;
const NUMBER = String.raw`\d+(?:\.\d+)*`;

/** Where a reference begins: elsewhere with "spec", in the specification with a section alone. */
const OUTSIDE = new RegExp(String.raw`(?<![\w.-])spec${GAP}(?=${NAME})`, 'g');
const INSIDE = new RegExp(String.raw`(?:(?<![\w.])\d\d${GAP})?(?=§)`, 'g');

const FILE = new RegExp(`(${NAME})`, 'y');
/** In a list two digits alone may be any number. */
const NEXT_FILE = new RegExp(String.raw`(\d\d(?=${GAP}§)|plugins\/[\w-]+(?:\.md)?)`, 'y');
const SECTIONS = new RegExp(`§(${NUMBER})(?:${GAP}?[–-]${GAP}?§?(${NUMBER}))?`, 'y');
const HEADING = /"([^"]+)"/y;
const SEPARATOR = new RegExp(`(?:${GAP}?[,;]${GAP}|${GAP}and${GAP}|${GAP})`, 'y');

/**
 * @param {{path: string, text: string}[]} files  paths below core/spec
 * @returns {Specification}
 */
export function specificationOf(files) {
  return new Map(files.map(({ path, text }) => [path, partOf(text)]));
}

/** @param {string} text @returns {Part} */
function partOf(text) {
  const headings = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map((match) => match[1]);
  const numbers = headings.map((heading) => new RegExp(`^${NUMBER}(?=\\.? )`).exec(heading)?.[0]);
  return {
    headings,
    sections: new Set(numbers.filter((number) => number !== undefined)),
    anchors: new Set(headings.map(anchorOf)),
  };
}

/** As GitHub makes them. @param {string} heading */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * References that lead nowhere: to a file, a section or a heading that does not exist, ranges whose
 * ends are in the wrong order, sections of no file, and paths below core/spec.
 *
 * @param {Specification} specification
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function brokenReferences(specification, path, text) {
  const own = path.startsWith(FOLDER) ? path.slice(FOLDER.length) : null;
  const reader = new ReferenceReader(specification, text, own);
  const found = [...reader.read(), ...brokenPaths(specification, text)];
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at, what }) => ({ line: lineAt(text, at), what }));
}

/** How many references there are. @param {string} text */
export function countReferences(text) {
  return [...text.matchAll(OUTSIDE)].length;
}

/** @param {Specification} specification @param {string} text */
function* brokenPaths(specification, text) {
  for (const match of text.matchAll(/(?<![\w./])core\/spec\/([\w/-]+\.md)/g)) {
    if (specification.has(match[1])) continue;
    yield { at: match.index, what: `no file ${match[0]}` };
  }
}

/** Goes through the references of one file. */
class ReferenceReader {
  #specification;
  #text;
  #own;
  #at = 0;

  /**
   * @param {Specification} specification
   * @param {string} text
   * @param {string | null} own  the file's own path, where it is part of the specification
   */
  constructor(specification, text, own) {
    this.#specification = specification;
    this.#text = text;
    this.#own = own;
  }

  *read() {
    const orphans = new Set([...this.#text.matchAll(/§/g)].map(({ index }) => index));
    const start = new RegExp(this.#own === null ? OUTSIDE : INSIDE);
    for (let match = start.exec(this.#text); match; match = start.exec(this.#text)) {
      const name = this.#own === null ? null : /^\d\d/.exec(match[0])?.[0];
      this.#at = match.index + match[0].length;
      const begin = this.#at;
      yield* name || this.#own === null ? this.#readList(name ?? null) : this.#readOwn();
      for (const at of orphans) if (at >= begin && at < this.#at) orphans.delete(at);
      start.lastIndex = Math.max(this.#at, match.index + 1);
    }
    for (const at of orphans) yield { at, what: 'a section of no file: write "spec NN §…"' };
  }

  /** Sections of the file itself. */
  *#readOwn() {
    if (this.#own !== null) yield* this.#readParts(this.#own);
  }

  /**
   * A file and what is named of it, then the next.
   *
   * @param {string | null} first  a name that was read already
   */
  *#readList(first) {
    let name = first ?? this.#take(FILE)?.[1] ?? '';
    while (name !== '') {
      const file = fileNamed(this.#specification, name);
      if (file === null) yield { at: this.#at - 1, what: `no file of core/spec: ${name}` };
      yield* this.#readParts(file);
      name = this.#takeAfterSeparator(NEXT_FILE)?.[1] ?? '';
    }
  }

  /** @param {string | null} file  null: one that does not exist, of which nothing is asked */
  *#readParts(file) {
    for (;;) {
      const at = this.#at;
      const match =
        this.#take(SECTIONS) ??
        this.#takeAfterSeparator(SECTIONS) ??
        (this.#own === null ? this.#takeAfterSeparator(HEADING) : null);
      if (!match) return;
      const part = file === null ? undefined : this.#specification.get(file);
      if (part === undefined) continue;
      const faults = match[0].startsWith('"')
        ? headingFaults(part, match[1])
        : sectionFaults(part, match[1], match[2]);
      for (const what of faults) yield { at: at + 1, what: `${FOLDER}${file}: ${what}` };
    }
  }

  /** @param {RegExp} pattern  a sticky one @returns {RegExpExecArray | null} */
  #take(pattern) {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }

  /** @param {RegExp} pattern */
  #takeAfterSeparator(pattern) {
    const before = this.#at;
    const match = this.#take(SEPARATOR) && this.#take(pattern);
    if (!match) this.#at = before;
    return match;
  }
}

/**
 * "05" and "plugins/00" are the beginnings of names, others are whole.
 *
 * @param {Specification} specification
 * @param {string} name
 */
function fileNamed(specification, name) {
  const whole = name.endsWith('.md') ? name : `${name}.md`;
  if (specification.has(whole)) return whole;
  if (!/\d\d$/.test(name)) return null;
  return [...specification.keys()].find((path) => path.startsWith(`${name}-`)) ?? null;
}

/** @param {Part} part @param {string} from @param {string} [to] @returns {string[]} */
function sectionFaults(part, from, to) {
  const ends = to === undefined ? [from] : [from, to];
  const missing = ends.filter((number) => !part.sections.has(number));
  const faults = missing.map((number) => `no section §${number}`);
  if (to !== undefined && !isBefore(from, to)) faults.push(`§${from}–§${to} is no range`);
  return faults;
}

/** @param {string} a @param {string} b */
function isBefore(a, b) {
  const [first, second] = [a, b].map((number) => number.split('.').map(Number));
  const at = first.findIndex((value, index) => value !== second[index]);
  return at >= 0 && at < second.length && first[at] < second[at];
}

/** @param {Part} part @param {string} quoted @returns {string[]} */
function headingFaults({ headings }, quoted) {
  const wanted = quoted.replace(new RegExp(GAP, 'g'), ' ');
  const isThere = headings.some(
    (heading) =>
      heading === wanted || (heading.startsWith(wanted) && !/\w/.test(heading[wanted.length])),
  );
  return isThere ? [] : [`no heading "${wanted}"`];
}

/** Code may look like a link. @param {string} markdown */
function withoutCode(markdown) {
  return markdown.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
}

/**
 * Links of a Markdown file that lead to no file, or in the specification to no heading.
 *
 * @param {Specification} specification
 * @param {(path: string) => boolean} exists
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function brokenLinks(specification, exists, path, text) {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    if (/^[a-z]+:/.test(match[1])) return [];
    const [file, anchor] = match[1].split('#');
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    const part = target.startsWith(FOLDER) && specification.get(target.slice(FOLDER.length));
    const isThere = exists(target) && (anchor === undefined || !part || part.anchors.has(anchor));
    return isThere ? [] : [{ line: lineAt(text, match.index), what: `leads nowhere: ${match[1]}` }];
  });
}
