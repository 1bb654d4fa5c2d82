/** Finds syntax errors in JavaScript. */
import { javascriptLanguage } from '@codemirror/lang-javascript';

/**
 * @param {string} text
 * @returns {{ line: number, column: number } | undefined} from 1
 */
export function syntaxErrorIn(text) {
  /** @type {number | undefined} */
  let first;
  javascriptLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) first ??= from;
    },
  });
  if (first === undefined) return undefined;
  const before = text.slice(0, first).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
