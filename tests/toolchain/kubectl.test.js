import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { clientVersion, ensureKubectl, finishedKubectl } from '../../wasm/toolchain/kubectl.js';

/** @param {string} folder @param {string} version */
function fakeKubectl(folder, version) {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'kubectl');
  writeFileSync(program, `#!/bin/sh\necho 'Client Version: ${version}'\n`);
  chmodSync(program, 0o755);
  return program;
}

/** @param {(folder: string) => void | Promise<void>} body */
async function inFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-'));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('kubectl 1.32 or newer is accepted, unless it starts other versions', () => {
  const cases = [
    { text: 'Client Version: v1.36.4\nKustomize Version: v5.8.1\n', want: '1.36.4' },
    { text: 'Client Version: v1.32.0', want: '1.32.0' },
    { text: 'Client Version: v1.31.9', want: null },
    { text: 'Client Version: v1.32.4-dispatcher', want: null },
    { text: 'Kustomize Version: v5.8.1', want: null },
  ];
  for (const { text, want } of cases) assert.equal(clientVersion(text).version, want, text);
});

test('Debian’s kubectl comes first, and the next suite’s if one fails', () =>
  inFolder(async (folder) => {
    /** @type {string[]} */
    const asked = [];
    const found = await ensureKubectl({
      isDebian: true,
      architecture: 'amd64',
      folder,
      env: { PATH: '' },
      fetch: async (suite) => {
        asked.push(suite);
        if (asked.length === 1) throw new Error('gone');
        return { program: '/unpacked', version: '1.32.3', origin: suite };
      },
    });
    assert.deepEqual(asked, ['forky', 'trixie']);
    assert.deepEqual(found, { program: '/unpacked', version: '1.32.3', origin: 'trixie' });
  }));

test('on other systems the machine’s kubectl is chosen once and kept while it exists', () =>
  inFolder(async (folder) => {
    const bin = join(folder, 'bin');
    const options = { isDebian: false, architecture: 'arm64', folder, env: { PATH: bin } };
    const program = fakeKubectl(bin, 'v1.33.1');
    const want = { program, version: '1.33.1', origin: 'machine' };
    assert.deepEqual(await ensureKubectl(options), want);
    assert.deepEqual(await ensureKubectl({ ...options, env: { PATH: '' } }), want);
    rmSync(bin, { recursive: true });
    assert.equal(finishedKubectl(folder), null);
  }));

test('without any kubectl the error has every reason', () =>
  inFolder(async (folder) => {
    const bin = join(folder, 'bin');
    fakeKubectl(bin, 'v1.20.2');
    const fetch = async () => {
      throw new Error('no network');
    };
    const options = { isDebian: true, architecture: 'amd64', folder, env: { PATH: bin }, fetch };
    await assert.rejects(ensureKubectl(options), (/** @type {any} */ error) => {
      assert.equal(error.code, 'SetupNeeded');
      assert.match(error.message, /^Put a kubectl of 1\.32\.0 or newer on PATH\./);
      assert.match(error.message, /Debian forky: no network\nDebian trixie: no network\n/);
      assert.match(error.message, /kubectl is 1\.20\.2, and 1\.32\.0 is needed$/);
      return true;
    });
  }));
