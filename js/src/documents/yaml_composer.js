/**
 * Composes YAML of bounded depth: the library's composer recurses, and a stack overflow inside it
 * ends V8.
 */
import { Composer, Lexer, Parser } from 'yaml';

/** @import { Document, DocumentOptions, LineCounter, ParseOptions, SchemaOptions } from 'yaml' */

/**
 * The maximum number of levels of a text, including documents and Lists: more than any object has.
 */
const LEVELS_MAX = 256;

/**
 * @param {string} text
 * @param {ParseOptions & DocumentOptions & SchemaOptions & { lineCounter: LineCounter }} options
 * @returns {{ documents: Document.Parsed[], tooDeepAt?: number }} the documents up to the offset at
 *   which the nesting is too deep
 */
export function composeDocuments(text, options) {
  const parser = new Parser(options.lineCounter.addNewLine);
  /** @type {Document.Parsed[]} */
  const documents = [];
  try {
    for (const document of new Composer(options).compose(tokensOf(text, parser, options)))
      documents.push(document);
    return { documents };
  } catch (cause) {
    if (cause instanceof TooDeep) return { documents, tooDeepAt: parser.offset };
    throw cause;
  }
}

class TooDeep extends Error {}

/**
 * Yields the tokens of the library's parser, which does not recurse.
 * @param {string} text
 * @param {Parser} parser
 * @param {{ lineCounter: LineCounter }} options
 */
function* tokensOf(text, parser, { lineCounter }) {
  lineCounter.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > LEVELS_MAX) throw new TooDeep();
  }
  yield* parser.end();
}
