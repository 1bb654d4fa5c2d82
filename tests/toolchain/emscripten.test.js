import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { capture } from '../../wasm/toolchain/commands.js';
import {
  configuration,
  emscriptenEnvironment,
  finished,
  llvmVersion,
} from '../../wasm/toolchain/debian_emscripten.js';
import { elfKind } from '../../wasm/toolchain/elf.js';
import { candidates, EMSCRIPTEN_MIN } from '../../wasm/toolchain/emscripten.js';
import { archiveAddress, parseUris } from '../../wasm/toolchain/private_apt.js';
import { isAtLeast, parseVersion } from '../../wasm/toolchain/versions.js';

test('versions are read from the output of programs and compared as numbers', () => {
  const emcc = 'emcc (Emscripten gcc/clang-like replacement + linker emulating GNU ld) 3.1.6 ()';
  assert.equal(parseVersion(emcc), '3.1.6');
  assert.equal(parseVersion('cmake version 3.25.1\n'), '3.25.1');
  assert.equal(parseVersion('no number'), null);
  const cases = [
    { version: '3.1.6', want: false },
    { version: '3.1.69', want: true },
    { version: '3.1.70', want: true },
    { version: '4.0.0', want: true },
    { version: '6.0.5', want: true },
    { version: '2.0.100', want: false },
  ];
  for (const { version, want } of cases) {
    assert.equal(isAtLeast(version, EMSCRIPTEN_MIN), want, version);
  }
});

test('the SDK in the environment takes precedence over the one on PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-'));
  try {
    const sdk = join(folder, 'upstream/emscripten');
    mkdirSync(sdk, { recursive: true });
    for (const file of [join(sdk, 'emcc'), join(folder, 'emcc')]) {
      writeFileSync(file, '#!/bin/sh\n');
      chmodSync(file, 0o755);
    }
    const both = candidates({ EMSDK: folder, PATH: folder });
    assert.deepEqual(both, [join(sdk, 'emcc'), join(folder, 'emcc')]);
    assert.deepEqual(candidates({ PATH: folder }), [join(folder, 'emcc')]);
    assert.deepEqual(candidates({ EMSDK: join(folder, 'none'), PATH: '' }), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the archive is the machine’s own Debian archive', () => {
  const other = 'nodistro|nodistro|https://packages.example.com/node/';
  const security = 'Debian|bookworm-security|http://mirror.example.com/debian-security/';
  const main = 'Debian|bookworm|http://mirror.example.com/debian/';
  assert.equal(
    archiveAddress([other, security, main].join('\n')),
    'http://mirror.example.com/debian/',
  );
  assert.equal(archiveAddress([other, security].join('\n')), null);
  // Before the first update of the lists, origins and code names are unknown.
  const fresh =
    '||http://mirror.example.com/debian-security/\n||http://mirror.example.com/debian/\n';
  assert.equal(archiveAddress(fresh), 'http://mirror.example.com/debian/');
  assert.equal(archiveAddress(''), null);
});

test('downloads are identified by file, size and hash', () => {
  const hash = 'ab'.repeat(32);
  const line = `'http://mirror.example.com/pool/a_1%2b2_all.deb' a_1+2_all.deb 42 SHA256:${hash}`;
  const want = [{ file: 'a_1+2_all.deb', bytes: 42, sha256: hash }];
  assert.deepEqual(parseUris(`Reading lists\n${line}\n`), want);
});

test('Emscripten’s clang is named by its package', () => {
  assert.equal(
    llvmVersion('Package: emscripten\nDepends: binaryen (>= 131~), clang-21, lld-21'),
    '21',
  );
  assert.throws(() => llvmVersion('Package: emscripten\nDepends: python3'), {
    code: 'SetupNeeded',
  });
});

test('the configuration points into the unpacked folder, and freezes shipped libraries', () => {
  const options = { root: '/opt/x', cache: '/opt/cache', llvm: '21', node: '/usr/bin/node' };
  const growing = configuration({ ...options, frozen: false });
  assert.match(growing, /^LLVM_ROOT = "\/opt\/x\/usr\/bin"$/m);
  assert.match(growing, /^CLANG_ADD_VERSION = "21"$/m);
  assert.match(growing, /^CACHE = "\/opt\/cache"$/m);
  assert.match(configuration({ ...options, frozen: true }), /^FROZEN_CACHE = True$/m);
});

test('a moved project counts as unfinished', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-'));
  try {
    assert.equal(finished(folder), null);
    const record = {
      suite: 'forky',
      root: join(folder, 'root'),
      emscripten: '6.0.5',
      packages: [],
    };
    writeFileSync(join(folder, 'installed.json'), JSON.stringify(record));
    assert.deepEqual(finished(folder), record);
    writeFileSync(join(folder, 'installed.json'), JSON.stringify({ ...record, root: '/old' }));
    assert.equal(finished(folder), null);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the settings of another Emscripten do not reach ours', () => {
  const { PATH } = process.env;
  const others = { EM_CONFIG: '/x', EM_CACHE: '/y', EMSDK: '/z', EMSDK_PYTHON: '/no/python' };
  const { EMSDK_PYTHON, ...rest } = emscriptenEnvironment({ PATH, ...others, EMPTY: '' });
  assert.deepEqual(rest, { PATH, EMPTY: '' });
  assert.equal(capture(EMSDK_PYTHON, ['-c', 'print(1)']), '1\n');
});

test('programs are distinguished from libraries and other files by their headers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-'));
  try {
    for (const [kind, types] of Object.entries({
      program: [6, 3, 1],
      library: [1, 2],
      other: [],
    })) {
      const file = join(folder, kind);
      writeFileSync(
        file,
        types.length > 0 ? elfFile(types) : '#!/bin/sh\necho a script, no program\n',
      );
      assert.equal(elfKind(file), kind);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A 64-bit ELF header with program headers of these types. @param {number[]} types */
function elfFile(types) {
  const bytes = Buffer.alloc(64 + types.length * 56);
  bytes.write('\x7fELF\x02', 'latin1');
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(types.length, 56);
  types.forEach((type, at) => bytes.writeUInt32LE(type, 64 + at * 56));
  return bytes;
}
