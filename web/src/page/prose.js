/** Parses the texts of scenarios: paragraphs with `code` and *emphasis*. */

/** @typedef {{ kind: 'plain' | 'code' | 'emphasis', text: string }} ProsePart */

/**
 * @param {string} text
 * @returns {ProsePart[][]} the parts of each paragraph
 */
export function paragraphsOf(text) {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replace(/\s+/g, ' '))
    .filter((paragraph) => paragraph !== '')
    .map(partsOf);
}

/**
 * @param {string} text
 * @returns {string} its first paragraph, without marks
 */
export function plainText(text) {
  const [first = []] = paragraphsOf(text);
  return first.map((part) => part.text).join('');
}

/**
 * @param {string} paragraph
 * @returns {ProsePart[]}
 */
function partsOf(paragraph) {
  return paragraph
    .split(/(`[^`]+`|\*(?!\s)[^*]+(?<!\s)\*)/)
    .filter((part) => part !== '')
    .map((part) => {
      const inner = part.slice(1, -1);
      if (part.length > 2 && part.startsWith('`') && part.endsWith('`'))
        return { kind: 'code', text: inner };
      if (part.length > 2 && part.startsWith('*') && part.endsWith('*'))
        return { kind: 'emphasis', text: inner };
      return { kind: 'plain', text: part };
    });
}
