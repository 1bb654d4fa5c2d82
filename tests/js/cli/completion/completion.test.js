// Goal: the shells complete what the commands know, and nothing else. Method: the shells themselves
// are asked what they make of a command line that is not finished.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { COMMANDS } from '../../../../js/src/cli/commands.js';
import { makeFolder } from '../../support/folder.js';
import { runCli } from '../../support/run_cli.js';

const { folder, file } = await makeFolder();
const names = [...COMMANDS.map(({ manual }) => manual.name), 'help'];
const scripts = {};
for (const shell of ['bash', 'zsh', 'fish'])
  scripts[shell] = await file(`stowage.${shell}`, (await runCli(['completion', shell])).stdout);
await file('cluster one.json', {});

/**
 * @param {string} program
 * @param {string[]} args
 */
function ask(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'dumb', LANG: 'C.UTF-8' },
    timeout: 60_000,
  });
  assert.equal(error, undefined);
  assert.equal(status, 0, stderr);
  return stdout;
}

/**
 * What bash offers: the words are cut as readline cuts them.
 * @param {string} line
 */
function bashOffers(line) {
  const words = line.match(/=|[^\s=]+/g) ?? [];
  if (/[\s=]$/.test(line)) words.push('');
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const asked =
    `source '${scripts.bash}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; ` +
    `_stowage 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return ask('bash', ['--norc', '--noprofile', '-c', asked]).split('\n').filter(Boolean).sort();
}

/** @param {string} line */
function fishOffers(line) {
  const asked = `source '${scripts.fish}'; complete -C '${line}'`;
  const lines = ask('fish', ['--no-config', '-c', asked]).split('\n').filter(Boolean);
  return lines.map((offer) => offer.split('\t')[0]).sort();
}

/** @param {string} command @param {string} start */
function flagsOf(command, start) {
  const { manual } = COMMANDS.find((one) => one.manual.name === command);
  const flags = Object.entries(manual.flags).flatMap(([long, { short }]) => [
    `--${long}`,
    ...(short ? [`-${short}`] : []),
  ]);
  return flags.filter((flag) => flag.startsWith(start)).sort();
}

const OFFERS = [
  ['stowage ', [...names].sort()],
  ['stowage re', ['repack', 'replay']],
  ['stowage simulate -o ', ['json', 'name', 'table', 'wide', 'yaml']],
  ['stowage check --output j', ['json', 'junit']],
  ['stowage simulate --tie-break h', ['heap']],
  ['stowage completion ', ['bash', 'fish', 'zsh']],
  ['stowage help sn', ['snapshot']],
  ['stowage nonsense --', []],
];

test('bash', () => {
  for (const [line, offers] of OFFERS) assert.deepEqual(bashOffers(line), offers, line);
  assert.deepEqual(bashOffers('stowage check --output=s'), ['sarif']);
  for (const { manual } of COMMANDS)
    assert.deepEqual(bashOffers(`stowage ${manual.name} --`), flagsOf(manual.name, '--'));
  assert.deepEqual(bashOffers('stowage simulate '), [], 'files are what readline has');
});

test('fish', () => {
  for (const [line, offers] of OFFERS) assert.deepEqual(fishOffers(line), offers, line);
  for (const { manual } of COMMANDS)
    assert.deepEqual(fishOffers(`stowage ${manual.name} --`), flagsOf(manual.name, '--'));
  assert.ok(fishOffers('stowage simulate clu').includes('cluster one.json'));
  assert.ok(fishOffers('stowage check --cluster clu').includes('cluster one.json'));
  assert.deepEqual(fishOffers('stowage version clu'), []);
  assert.deepEqual(fishOffers('stowage capacity --at-least clu'), []);
});

test('zsh', async () => {
  const lines = [
    ['stowage repl\t', 'replay'],
    ['stowage simulate -o w\t', 'simulate -o wide'],
    ['stowage check --output=sa\t', 'check --output=sarif'],
    ['stowage check --clu\tx', 'check --cluster=x'],
    ['stowage capacity --at-l\t=3', 'capacity --at-least=3'],
    ['stowage simulate clu\t', 'simulate cluster one.json'],
    ['stowage completion f\t', 'completion fish'],
    ['stowage help exp\t', 'help explain'],
  ];
  const start = await file(
    'start.zsh',
    [
      'PS1=; PS2=; unsetopt zle_bracketed_paste prompt_cr prompt_sp beep',
      'autoload -Uz compinit; compinit -u -D',
      `source ${scripts.zsh}`,
      'stowage() { print -r -- "asked:$*" }',
      '',
    ].join('\n'),
  );
  const typed = lines.map(([line]) => `zpty -w shell $'${line.replace('\t', '\\t')}'`);
  const script = await file(
    'ask.zsh',
    [
      'zmodload zsh/zpty',
      'zpty shell zsh -f -i',
      `zpty -w shell "source ${start}; print -r -- the''-start"`,
      "zpty -r shell answer '*the-start*'",
      ...typed,
      `zpty -w shell "print -r -- the''-end"`,
      "zpty -r shell answer '*the-end*'",
      'print -r -- "$answer"',
      '',
    ].join('\n'),
  );
  const said = ask('zsh', ['-f', script]);
  const answers = [...said.matchAll(/asked:(.*?)\r?$/gm)].map(([, answer]) => answer.trim());
  assert.deepEqual(
    answers,
    lines.map(([, answer]) => answer),
  );
});

test('every script is valid in its shell', async () => {
  for (const [shell, path] of Object.entries(scripts)) {
    assert.match(await readFile(path, 'utf8'), /stowage completion/);
    ask(shell, ['-n', path]);
  }
});

test('other shells are refused', async () => {
  for (const argv of [[], ['tcsh'], ['bash', 'zsh']]) {
    const { code, stdout, stderr } = await runCli(['completion', ...argv]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /completion is for one of bash, zsh, fish/);
  }
});
