import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseOsRelease } from '../../wasm/toolchain/machine.js';
import { serves } from '../../wasm/toolchain/npm_packages.js';
import { NEEDS, needsOf, plan } from '../../wasm/toolchain/system_packages.js';

const debian = { isDebian: true, codename: 'bookworm', architecture: 'amd64', asRoot: [] };
const guest = { ...debian, asRoot: null };
const elsewhere = { isDebian: false, codename: '', architecture: 'arm64', asRoot: [] };

const needs = (/** @type {string[]} */ ...names) =>
  NEEDS.filter((need) => names.includes(need.package));

test('on a new Debian root installs everything', () => {
  const { install, unpack, fault } = plan(needsOf('test'), debian);
  assert.deepEqual(install, [
    'cmake',
    'ninja-build',
    'python3',
    'nlohmann-json3-dev',
    'libfmt-dev',
    'g++',
    'googletest',
    'chromium',
    'zsh',
    'fish',
    'redis-server',
    'ccache',
  ]);
  assert.deepEqual([unpack, fault], [[], null]);
});

test('packages that only speed up builds are not installed for that alone', () => {
  assert.deepEqual(plan(needs('ccache'), debian), { install: [], unpack: [], fault: null });
});

test('without root, sources are unpacked and the user is asked for programs', () => {
  assert.deepEqual(plan(needs('libfmt-dev', 'googletest', 'ccache'), guest), {
    install: [],
    unpack: ['libfmt-dev', 'googletest'],
    fault: null,
  });
  const { fault } = plan(needs('cmake', 'python3', 'libfmt-dev'), guest);
  assert.match(fault ?? '', /apt-get install --no-install-recommends cmake python3$/);
});

test('on other systems the user installs programs, and CMake downloads sources', () => {
  assert.deepEqual(plan(needs('libfmt-dev', 'googletest'), elsewhere), {
    install: [],
    unpack: [],
    fault: null,
  });
  assert.match(plan(needs('cmake'), elsewhere).fault ?? '', /CMake 3\.22\.0 or newer/);
});

test('npm start needs no test tools, and no tests need the fuzzers’ compiler', () => {
  const [start, tests, fuzz] = /** @type {const} */ (['start', 'test', 'fuzz']).map((command) =>
    needsOf(command).map((need) => need.package),
  );
  assert.ok(!start.includes('g++') && !start.includes('googletest') && start.includes('cmake'));
  assert.ok(tests.includes('g++') && !tests.includes('clang'));
  assert.deepEqual(
    fuzz.filter((name) => !start.includes(name)),
    ['clang', 'libclang-rt-dev'],
  );
});

test('npm packages are installed again when the lockfile or the need for tools changes', () => {
  const cases = [
    { installed: null, wanted: { lock: 'a', dev: false }, want: false },
    { installed: { lock: 'a', dev: false }, wanted: { lock: 'a', dev: false }, want: true },
    { installed: { lock: 'a', dev: true }, wanted: { lock: 'a', dev: false }, want: true },
    { installed: { lock: 'a', dev: false }, wanted: { lock: 'a', dev: true }, want: false },
    { installed: { lock: 'b', dev: true }, wanted: { lock: 'a', dev: false }, want: false },
  ];
  for (const { installed, wanted, want } of cases) assert.equal(serves(installed, wanted), want);
});

test('os-release is read with and without quotes', () => {
  const text =
    'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_CODENAME=bookworm\n';
  const { ID, VERSION_CODENAME, PRETTY_NAME } = parseOsRelease(text);
  assert.deepEqual([ID, VERSION_CODENAME], ['debian', 'bookworm']);
  assert.equal(PRETTY_NAME, 'Debian GNU/Linux 12 (bookworm)');
});
