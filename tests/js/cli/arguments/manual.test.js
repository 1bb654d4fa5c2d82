import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { COMMANDS } from '../../../../js/src/cli/commands.js';
import { formatManual, overview } from '../../../../js/src/cli/arguments/manual.js';
import { GET_ALL_KINDS } from '../../../../js/src/kubernetes/needed_kinds.js';
import { runCli } from '../../support/run_cli.js';

const COLUMNS = 100;

for (const { manual } of COMMANDS) {
  test(`${manual.name}: the help is there, whole, and fits the screen`, async () => {
    const { code, stdout } = await runCli(['help', manual.name]);
    assert.equal(code, 0);
    for (const flag of ['-h', '--help'])
      assert.equal((await runCli([manual.name, flag])).stdout, stdout, flag);
    for (const [name, { short, help, words = [] }] of Object.entries(manual.flags)) {
      assert.ok(stdout.includes(short ? `  -${short}, --${name}` : `      --${name}`), name);
      assert.ok(help.length > 0 && !/\.$/.test(help), `${name}: a phrase`);
      for (const word of words) assert.ok(help.includes(word), `${name}: ${word}`);
    }
    // The command that gets every kind is copied as one line.
    for (const line of stdout.replaceAll(GET_ALL_KINDS, 'kubectl get').split('\n'))
      assert.ok(line.length <= COLUMNS && line === line.trimEnd(), line);
    for (const code of Object.keys(manual.exitCodes))
      assert.match(stdout, new RegExp(`^  ${code}  `, 'm'));
    for (const { command } of manual.examples)
      assert.match(command, new RegExp(`\\bstowage ${manual.name}\\b`));
  });
}

test('the overview has a line for each command', () => {
  const lines = overview(COMMANDS.map(({ manual }) => manual)).split('\n');
  for (const { manual } of COMMANDS) {
    const line = lines.find((text) => text.startsWith(`  stowage ${manual.name} `)) ?? '';
    assert.ok(line.endsWith(`   ${manual.summary}`), manual.name);
  }
});

/**
 * @param {string} text
 * @param {string} name of a command
 * @returns {string[]} the flags in the text that the command does not have
 */
function unknownFlags(text, name) {
  const { flags = {} } = COMMANDS.find(({ manual }) => manual.name === name)?.manual ?? {};
  const known = Object.entries(flags).flatMap(([long, { short }]) => [`--${long}`, `-${short}`]);
  return [...text.matchAll(/(?<![\w-])--?[a-z][\w-]*/gi)]
    .map(([flag]) => flag)
    .filter((flag) => !known.includes(flag));
}

test('examples have only flags of their command', () => {
  for (const { manual } of COMMANDS)
    for (const { command } of manual.examples) {
      const [, line = ''] = new RegExp(`stowage ${manual.name}\\b([^|>]*)`).exec(command) ?? [];
      assert.deepEqual(unknownFlags(line, manual.name), [], command);
    }
});

test('the guide has a row for each command, with flags that it has', async () => {
  const guide = await readFile(new URL('../../../../js/README.md', import.meta.url), 'utf8');
  const [, table] = /^## Command line\n[^]*?\n(\| command [^]*?)\n\n/m.exec(guide) ?? [];
  const rows = String(table).split('\n').slice(2);
  const named = rows.flatMap((row) => {
    const [, first = ''] = row.split(' | ', 1)[0].split('| ');
    const names = [...first.matchAll(/`(\w+)/g)].map(([, name]) => name);
    if (names.length === 1) assert.deepEqual(unknownFlags(row, names[0]), [], names[0]);
    return names;
  });
  assert.deepEqual(named.sort(), COMMANDS.map(({ manual }) => manual.name).sort());
});

test('labels that are too long for their text stand above it', () => {
  const manual = {
    name: 'toy',
    takes: '',
    summary: 'plays',
    description: 'Plays.\n\nLong and\nlonger.',
    examples: [],
    flags: {
      short: { type: 'boolean', short: 's', help: 'a switch' },
      'with-a-rather-long-name': { type: 'string', value: 'NUMBER', help: 'a value' },
    },
    exitCodes: { 0: 'played' },
  };
  assert.equal(
    formatManual(manual),
    [
      'Plays.',
      '',
      'Usage:',
      '  stowage toy',
      '',
      'Long and longer.',
      '',
      'Flags:',
      '  -s, --short                a switch',
      '      --with-a-rather-long-name NUMBER',
      '                             a value',
      '',
      'Exit codes:',
      '  0  played',
      '',
    ].join('\n'),
  );
});
