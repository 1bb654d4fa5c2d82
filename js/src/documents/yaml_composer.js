/** YAML of a bounded depth: the library's composer recurses, and a stack that is full ends V8. */
import { Composer, Lexer, Parser } from 'yaml';

/** @import { Document, DocumentOptions, LineCounter, ParseOptions, SchemaOptions } from 'yaml' */

/** Levels of a text, documents' and Lists' included: more than any object has. */
const LEVELS_MAX = 256;

/**
 * @param {string} text
 * @param {ParseOptions & DocumentOptions & SchemaOptions & { lineCounter: LineCounter }} options
 * @returns {{ documents: Document.Parsed[], tooDeepAt?: number }} the documents up to an offset
 *   where the text is nested too deep
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
 * The tokens of the library's parser, which keeps its own stack.
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
