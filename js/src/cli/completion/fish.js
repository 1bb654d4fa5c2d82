import { argumentKind, quoted, valueKind } from './words.js';

/** @import { Flag, Manual } from '../arguments/manual.js' */

/**
 * A script for fish.
 * @param {readonly Manual[]} manuals
 * @returns {string}
 */
export function fishScript(manuals) {
  const names = manuals.map(({ name }) => name);
  const lines = [
    '# Completion of stowage for fish: stowage completion fish | source',
    '',
    'complete -c stowage -f',
    ...manuals.map(({ name, summary }) => commandLine(name, summary)),
    commandLine('help', 'print what a command does'),
    argumentLine('help', `-a ${text(names.join(' '))}`),
    ...manuals.flatMap(manualLines),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * @param {string} name
 * @param {string} summary
 */
function commandLine(name, summary) {
  return `complete -c stowage -n __fish_use_subcommand -a ${name} -d ${text(summary)}`;
}

/** @param {Manual} manual */
function manualLines(manual) {
  const { name, flags, words = [] } = manual;
  const lines = Object.entries(flags).map(([long, flag]) =>
    argumentLine(name, flagOptions(long, flag)),
  );
  const kind = argumentKind(manual);
  if (kind === 'file') lines.push(argumentLine(name, '-F'));
  if (kind === 'words') lines.push(argumentLine(name, `-a ${text(words.join(' '))}`));
  return lines;
}

/**
 * @param {string} command
 * @param {string} options
 */
function argumentLine(command, options) {
  return `complete -c stowage -n '__fish_seen_subcommand_from ${command}' ${options}`;
}

/**
 * @param {string} long
 * @param {Flag} flag
 */
function flagOptions(long, flag) {
  const { short, words = [], help } = flag;
  const names = `${short ? `-s ${short} ` : ''}-l ${long}`;
  const values = {
    nothing: '',
    words: ` -x -a ${text(words.join(' '))}`,
    file: ' -r -F',
    text: ' -x',
  }[valueKind(flag)];
  return `${names}${values} -d ${text(help)}`;
}

/**
 * In single quotes fish knows no escapes except those of the quote and the backslash.
 * @param {string} words
 */
function text(words) {
  return quoted(words).replaceAll("'\\''", "\\'");
}
