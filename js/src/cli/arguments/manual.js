import { RELEASES } from '../../kubernetes/release.js';
import { GET_ALL_KINDS } from '../../kubernetes/needed_kinds.js';

/**
 * The manual of a command. `parseArgs` of node:util, help and completion all use the same table of
 * flags.
 */

/**
 * A flag as `parseArgs` takes it, with its help text.
 * @typedef {object} Flag
 * @property {'boolean' | 'string'} type
 * @property {string} [short]
 * @property {boolean} [multiple]
 * @property {string | boolean | string[]} [default]
 * @property {string} help
 * @property {string} [value] the name of its value, such as `FILE`; absent for a switch
 * @property {readonly string[]} [words] its possible values
 */

/**
 * @typedef {object} Manual
 * @property {string} name
 * @property {string} takes the text after the name: `FILE... [flags]`
 * @property {string} summary one line
 * @property {string} description paragraphs, with an empty line between them
 * @property {readonly { why: string, command: string }[]} examples
 * @property {Readonly<Record<string, Flag>>} flags
 * @property {Readonly<Record<number, string>>} exitCodes
 * @property {readonly string[]} [words] the possible arguments; without them arguments are files
 */

const COLUMNS = 100;

/** The column of flags' texts, unless all flags of a command are shorter. */
const FLAG_COLUMNS = 29;

/**
 * Returns the page of a command's `--help`.
 * @param {Manual} manual
 * @returns {string}
 */
export function formatManual({ name, takes, description, examples, flags, exitCodes }) {
  const paragraphs = description.split('\n\n').map((text) => `${wrapped(text, COLUMNS)}\n`);
  const [purpose, ...details] = paragraphs;
  const usage = `Usage:\n  ${`stowage ${name} ${takes}`.trimEnd()}\n`;
  const shown = examples.map(({ why, command }) => `  # ${why}\n  ${command}\n`);
  const codes = Object.entries(exitCodes).map(([code, text]) => hanging(`  ${code}`, text, 5));
  return [
    purpose,
    usage,
    ...details,
    ...(shown.length > 0 ? [`Examples:\n${shown.join('\n')}`] : []),
    `Flags:\n${formatFlags(flags)}`,
    `Exit codes:\n${codes.join('')}`,
  ].join('\n');
}

/**
 * Returns the page of `stowage --help`.
 * @param {readonly Manual[]} manuals
 * @returns {string}
 */
export function overview(manuals) {
  const rows = manuals.map(({ name, summary }) => ({ label: `  stowage ${name}`, summary }));
  rows.push({ label: '  stowage help COMMAND', summary: 'print the manual of a command' });
  const widest = Math.max(...rows.map(({ label }) => label.length)) + 3;
  return `stowage makes the same placement decisions as kube-scheduler ${releases()}.

Usage:
${rows.map(({ label, summary }) => hanging(label, summary, widest)).join('')}
Start with a cluster you can read:
  ${GET_ALL_KINDS} | stowage simulate -
`;
}

/** `v1.33 to v1.36`: no recordings prove what a preview does. */
function releases() {
  const proved = RELEASES.filter((release) => !release.endsWith('-preview'));
  return `v${proved[0]} to v${proved[proved.length - 1]}`;
}

/** @param {Manual['flags']} flags */
function formatFlags(flags) {
  const rows = Object.entries(flags).map(([name, flag]) => ({
    label: `  ${flag.short ? `-${flag.short},` : '   '} ${spelled(name, flag)}`,
    text: flag.help,
  }));
  const widest = Math.max(...rows.map(({ label }) => label.length)) + 2;
  return rows
    .map(({ label, text }) => hanging(label, text, Math.min(widest, FLAG_COLUMNS)))
    .join('');
}

/**
 * Returns a flag as the user writes it.
 * @param {string} name
 * @param {Flag} flag
 */
function spelled(name, { value }) {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/**
 * Puts a text beside its label, or below a label that is too long.
 * @param {string} label
 * @param {string} text
 * @param {number} indent
 */
function hanging(label, text, indent) {
  const lines = wrapped(text, COLUMNS - indent).split('\n');
  const isBeside = label.length + 2 <= indent;
  const head = isBeside ? label.padEnd(indent) : `${label}\n${' '.repeat(indent)}`;
  return `${head}${lines.join(`\n${' '.repeat(indent)}`)}\n`;
}

/**
 * @param {string} text
 * @param {number} columns
 */
function wrapped(text, columns) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
