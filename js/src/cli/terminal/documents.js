/** Formats documents for printing. */
import { Document, Scalar, visit } from 'yaml';
import { YAML_OPTIONS } from '../../documents/documents.js';
import { isUnsafe, printableQuoted } from '../../engine/printable.js';

/**
 * @param {unknown} document
 * @param {{ indent?: number }} [options] indentation; 0: on one line
 * @returns {string} with a line feed at its end
 */
export function jsonText(document, { indent = 2 } = {}) {
  return `${printableQuoted(JSON.stringify(document, null, indent))}\n`;
}

/**
 * Returns YAML without anchors, in which kubectl finds the same values: a text `yes` or `010` is in
 * quotes. Strings with characters that a terminal or CI would interpret are
 * in double quotes, on one line.
 * @param {unknown} value
 * @returns {string}
 */
export function yamlText(value) {
  const document = new Document(value, { ...YAML_OPTIONS, aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && isUnsafe(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return printableQuoted(
    document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity }),
  );
}
