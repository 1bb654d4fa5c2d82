/** The order of sets of edits. It is described in js/src/whatif/README.md. */

/** @import { Edit } from './edit.js' */

/**
 * Fewer edits come first, then what asks for less, then the smaller change, then the text.
 * @param {readonly Edit[]} a
 * @param {readonly Edit[]} b
 */
export function bySize(a, b) {
  return (
    a.length - b.length ||
    asked(a) - asked(b) ||
    size(a) - size(b) ||
    (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0)
  );
}

/** What the most demanding edit asks for, then all others. @param {readonly Edit[]} edits */
function asked(edits) {
  const all = edits.map(({ asks }) => asks);
  return Math.max(...all) * 100 + all.reduce((sum, one) => sum + one, 0);
}

/** @param {readonly Edit[]} edits */
function size(edits) {
  return edits.reduce((sum, edit) => sum + edit.size, 0);
}

/** @param {readonly Edit[]} edits */
function text(edits) {
  return edits.map(({ key }) => key).join('\n');
}
