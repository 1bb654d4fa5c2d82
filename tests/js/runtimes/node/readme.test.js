// Goal: the example of README.md works. Method: the test runs it as a process, with a kubeconfig
// for its own server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { listen } from '../../../../js/src/node.js';
import { makeFolder } from '../../support/folder.js';
import { pem, pemData } from './tls_server.js';

const source = (/** @type {string} */ path) => import.meta.resolve(`../../../../js/src/${path}`);
const CA = pemData('ca.crt');
const MODULES = {
  'stowage/informer': source('informer.js'),
  'stowage/node': source('node.js'),
};

test('the example of the README runs', async (t) => {
  const seen = [];
  const server = await listen(
    ({ url, headers }) => {
      seen.push([new URL(url).pathname, headers.get('authorization')]);
      return Response.json({ kind: 'NodeList', items: [{}, {}] });
    },
    { port: 0, tls: { cert: pem('server.crt'), key: pem('server.key') } },
  );
  t.after(() => server.close());
  const { file } = await makeFolder();
  const KUBECONFIG = await file('config', {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: server.url, 'certificate-authority-data': CA } }],
    users: [{ name: 'u', user: { token: 'abc' } }],
  });
  const readme = await readFile(new URL(source('runtimes/node/README.md')), 'utf8');
  const [, example] = /^```js\n([^]*?)^```/m.exec(readme) ?? [];
  const code = Object.entries(MODULES).reduce(
    (text, [name, url]) => text.replace(`'${name}'`, `'${url}'`),
    String(example),
  );
  const run = promisify(execFile);
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, KUBECONFIG } });
  assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\n$/);
  assert.deepEqual(seen, [['/api/v1/nodes', 'Bearer abc']]);
});
