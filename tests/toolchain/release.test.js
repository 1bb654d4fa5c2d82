import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../wasm/toolchain/paths.js';
import { releaseFaults } from '../../wasm/toolchain/release.js';

const ready = {
  manifest: { version: '1.2.3', repository: 'github:example/stowage' },
  changelog: '# Changelog\n\n## 1.2.3 (2026-03-01)\n\nMore.\n',
  changes: '',
  tags: ['v1.2.3', ''],
  env: { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example' },
};

test('a release that is vouched for', () => {
  assert.deepEqual(releaseFaults(ready), []);
  assert.deepEqual(releaseFaults({ ...ready, env: { SIGSTORE_ID_TOKEN: 'token' } }), []);
});

test('what stands against a release is said', () => {
  const { changelog } = ready;
  /** @type {[Partial<import('../../wasm/toolchain/release.js').Release>, RegExp][]} */
  const cases = [
    [{ changes: ' M README.md\n' }, /not committed/],
    [{ tags: ['v1.2.2'] }, /no tag v1\.2\.3/],
    [{ changelog: changelog.replace('2026-03-01', 'unreleased') }, /no dated heading for 1\.2\.3/],
    [{ changelog: changelog.replace('1.2.3', '1a2b3') }, /no dated heading/],
    [{ manifest: { version: '1.2.3' } }, /names no repository/],
    [{ env: {} }, /OIDC/],
  ];
  for (const [change, fault] of cases) {
    const [said, ...others] = releaseFaults({ ...ready, ...change });
    assert.match(said, fault);
    assert.deepEqual(others, []);
  }
});

test('the command publishes nothing from anywhere', () => {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  const args = ['wasm/toolchain/release.js', '--dry-run'];
  const env = { PATH: process.env.PATH };
  const { status, stderr } = spawnSync('node', args, { cwd: repository, env, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^Not released\.\n[^]*OIDC/m);
});

test('the changelog begins with the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
  assert.equal(/^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$/m.exec(changelog)?.[1], version);
});
