// Goal: certificates, tokens and plugins of a kubeconfig authenticate a client, also after their
// renewal. Method: a real TLS server, real files, a real plugin process; time is a virtual clock's.
import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { virtualClock } from '../../../../js/src/io/clock.js';
import { createApiClient } from '../../../../js/src/client/api_client.js';
import { inClusterConfig, loadKubeconfig } from '../../../../js/src/node.js';
import { makeFolder } from '../../support/folder.js';
import { certificatePath, pem, pemData, startTlsServer } from './tls_server.js';

const { folder, file } = await makeFolder();
const CA = { 'certificate-authority-data': pemData('ca.crt') };
let count = 0;

/** @param {object} cluster @param {object} user */
function writeConfig(cluster, user) {
  count += 1;
  return file(`config-${count}`, {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  });
}

/**
 * @param {import('node:test').TestContext} t
 * @param {object} cluster
 * @param {object} user
 * @param {object} [options]
 */
async function connect(t, cluster, user, options) {
  const clock = virtualClock(0);
  const path = await writeConfig(cluster, user);
  const env = { PATH: process.env.PATH };
  const loaded = await loadKubeconfig(path, { env, clock, isTerminal: false, ...options });
  const client = createApiClient({ ...loaded, clock });
  t.after(() => client.close());
  return { client, clock };
}

const pair = (name) => ({
  'client-certificate-data': pemData(`${name}.crt`),
  'client-key-data': pemData(`${name}.key`),
});

/** @param {string} server @param {number} port */
function visitors(server, port) {
  const path = (name) => certificatePath(name).pathname;
  const files = { 'client-certificate': path('client-a.crt'), 'client-key': path('client-a.key') };
  const byName = { server: `https://localhost:${port}`, ...CA };
  return [
    ['a certificate', { server, ...CA }, pair('client-a'), { user: 'client-a' }],
    [
      'certificates in files',
      { server, 'certificate-authority': path('ca.crt') },
      files,
      {
        user: 'client-a',
      },
    ],
    ['a token', { server, ...CA }, { token: 'abc' }, { authorization: 'Bearer abc' }],
    [
      'both',
      { server, ...CA },
      { token: 'abc', ...pair('client-a') },
      {
        user: 'client-a',
        authorization: 'Bearer abc',
      },
    ],
    ['no verification', { server, 'insecure-skip-tls-verify': true }, {}, {}],
    [
      'a name of its own',
      { ...byName, 'tls-server-name': 'api.example' },
      {},
      {
        serverName: 'api.example',
      },
    ],
    ['no CA', { server }, {}, /self-signed certificate in certificate chain/],
    [
      'another name',
      { server, ...CA, 'tls-server-name': 'x.example' },
      {},
      /x\.example\. is not in/,
    ],
    ['a name that it has not', byName, {}, /localhost\. is not in/],
    [
      'no compression',
      { server, ...CA, 'disable-compression': true },
      {},
      { encoding: 'identity' },
    ],
  ];
}

test('the server authenticates the client, and the client the server', async (t) => {
  const { url, port, visits } = await startTlsServer(t);
  for (const [name, cluster, user, want] of visitors(url, port)) {
    const { client } = await connect(t, cluster, user);
    const body = '{"a":"ü"}';
    const asked = client.json('/api?x=1', { method: 'POST', body });
    if (want instanceof RegExp) {
      await assert.rejects(asked, (error) => {
        assert.equal(error.code, 'Network', name);
        assert.match(error.message, want, name);
        return true;
      });
      continue;
    }
    assert.deepEqual(await asked, { kind: 'Status', status: 'Success' }, name);
    const visit = visits.at(-1);
    assert.equal(visit.path, '/api?x=1');
    assert.equal(visit.body, body);
    assert.equal(visit.user, want.user ?? '', name);
    assert.equal(visit.headers.authorization, want.authorization, name);
    assert.equal(visit.headers['content-type'], 'application/json');
    assert.equal(visit.headers['content-length'], '10');
    if (want.serverName) assert.equal(visit.serverName, want.serverName, name);
    if (want.encoding) assert.equal(visit.headers['accept-encoding'], want.encoding, name);
    else assert.match(String(visit.headers['accept-encoding']), /gzip/, name);
  }
});

test('a token from a file is read again when it is old, and when it is refused', async (t) => {
  const accepted = new Set(['Bearer one', 'Bearer three']);
  const { url, visits } = await startTlsServer(t, ({ headers }) =>
    accepted.has(headers.authorization) ? {} : { status: 401 },
  );
  const tokenFile = await file('token', 'one\n');
  const { client, clock } = await connect(t, { server: url, ...CA }, { tokenFile, token: 'zero' });
  const ask = async () => (await client.request('/api')).status;
  const tokens = () => visits.splice(0).map(({ headers }) => headers.authorization);
  assert.equal(await ask(), 200);
  await writeFile(tokenFile, 'two\n');
  assert.equal(await ask(), 200);
  assert.deepEqual(tokens(), ['Bearer one', 'Bearer one'], 'not old yet');
  clock.advanceTo(50_000);
  assert.equal(await ask(), 401);
  assert.deepEqual(tokens(), ['Bearer two', 'Bearer two'], 'refused, read again, refused');
  await writeFile(tokenFile, 'three\n');
  assert.equal(await ask(), 200);
  assert.deepEqual(tokens(), ['Bearer two', 'Bearer three'], 'refused, read again');
  await writeFile(tokenFile, '');
  clock.advanceTo(200_000);
  assert.equal(await ask(), 200);
  assert.deepEqual(tokens(), ['Bearer three'], 'the last that there was');
});

test('new certificates in files get new connections', async (t) => {
  const { url, visits } = await startTlsServer(t);
  const certificate = await file('me.crt', pem('client-a.crt'));
  const key = await file('me.key', pem('client-a.key'));
  const user = { 'client-certificate': certificate, 'client-key': key };
  const { client, clock } = await connect(t, { server: url, ...CA }, user);
  const ask = async () => {
    await client.json('/api');
    return visits.at(-1).user;
  };
  assert.equal(await ask(), 'client-a');
  await writeFile(certificate, pem('client-b.crt'));
  assert.equal(await ask(), 'client-a', 'not old yet');
  clock.advanceTo(300_000);
  assert.equal(await ask(), 'client-a', 'its key is not there yet');
  await writeFile(key, pem('client-b.key'));
  assert.equal(await ask(), 'client-b');
});

/** A plugin that prints the test's output and reports its input. */
const PLUGIN = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require('node:fs');
const [, , calls, answer] = process.argv;
const { KUBERNETES_EXEC_INFO: info, FROM_CONFIG, KEPT } = process.env;
appendFileSync(calls, JSON.stringify({ info: JSON.parse(info), FROM_CONFIG, KEPT }) + '\\n');
process.stdout.write(readFileSync(answer, 'utf8'));
`;

const V1 = 'client.authentication.k8s.io/v1';

/** @param {object} status @param {string} [apiVersion] */
function credential(status, apiVersion = V1) {
  return { kind: 'ExecCredential', apiVersion, status };
}

/** @param {object} status of the first response @param {string} [apiVersion] */
async function makePlugin(status, apiVersion = V1) {
  count += 1;
  const program = await file(`bin/plugin-${count}`, PLUGIN);
  await chmod(program, 0o755);
  const calls = await file(`calls-${count}`, '');
  const answer = await file(`answer-${count}`, credential(status, apiVersion));
  const exec = {
    apiVersion,
    command: `./bin/plugin-${count}`,
    args: [calls, answer],
    env: [{ name: 'FROM_CONFIG', value: 'yes' }],
    interactiveMode: 'IfAvailable',
  };
  const told = async () =>
    (await readFile(calls, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const write = (content) => writeFile(answer, content);
  const say = (next) => write(JSON.stringify(credential(next, apiVersion)));
  return { exec, told, say, write };
}

test('a plugin’s token is kept until it expires or is refused', async (t) => {
  let accepted = 'Bearer one';
  const { url, visits } = await startTlsServer(t, ({ headers }) =>
    headers.authorization === accepted ? {} : { status: 401 },
  );
  const expirationTimestamp = '1970-01-01T00:01:00Z';
  const { exec, told, say } = await makePlugin({ token: 'one', expirationTimestamp });
  const { client, clock } = await connect(t, { server: url, ...CA }, { exec });
  const ask = async () => (await client.request('/api')).status;
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [200, 200, 200]);
  assert.equal((await told()).length, 1, 'one run serves all who wait');
  clock.advanceTo(59_000);
  assert.equal(await ask(), 200);
  assert.equal((await told()).length, 1);
  await say({ token: 'two' });
  accepted = 'Bearer two';
  clock.advanceTo(60_000);
  assert.equal(await ask(), 200);
  assert.equal((await told()).length, 2, 'expired');
  await say({ token: 'three' });
  accepted = 'Bearer three';
  visits.splice(0);
  assert.deepEqual(await Promise.all([ask(), ask()]), [200, 200]);
  assert.equal((await told()).length, 3, 'refused to both, run once');
  accepted = 'nothing';
  assert.equal(await ask(), 401);
  assert.equal((await told()).length, 4);
});

test('a plugin’s token is kept where the time of day was set back', async (t) => {
  const { url } = await startTlsServer(t);
  const path = await writeConfig({ server: url, ...CA }, {});
  await (await loadKubeconfig(path, { env: {} })).close();
  const now = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => now() - 3_600_000);
  const expirationTimestamp = new Date(Date.now() + 600_000).toISOString();
  const { exec, told } = await makePlugin({ token: 'one', expirationTimestamp });
  const { client } = await connect(t, { server: url, ...CA }, { exec }, { clock: undefined });
  for (let asked = 0; asked < 3; asked += 1) await client.json('/api');
  assert.equal((await told()).length, 1);
});

test('a plugin gets its arguments, environment and KUBERNETES_EXEC_INFO', async (t) => {
  const { url } = await startTlsServer(t);
  const env = { PATH: process.env.PATH, KEPT: 'too' };
  const { exec, told } = await makePlugin({ token: 'one' });
  const { client } = await connect(t, { server: url, ...CA }, { exec }, { env });
  await client.json('/api');
  assert.deepEqual(await told(), [
    {
      info: { kind: 'ExecCredential', apiVersion: V1, spec: { interactive: false } },
      FROM_CONFIG: 'yes',
      KEPT: 'too',
    },
  ]);
  const beta = await makePlugin({ token: 'one' }, 'client.authentication.k8s.io/v1beta1');
  const cluster = {
    server: `https://localhost:${new URL(url).port}`,
    'tls-server-name': 'api.example',
    'certificate-authority': certificatePath('ca.crt').pathname,
    'disable-compression': true,
    extensions: [
      { name: 'other', extension: 1 },
      { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } },
    ],
  };
  const user = { exec: { ...beta.exec, provideClusterInfo: true, interactiveMode: undefined } };
  const other = await connect(t, cluster, user);
  await other.client.json('/api');
  const [{ info }] = await beta.told();
  assert.deepEqual(info, {
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    spec: {
      cluster: {
        server: cluster.server,
        'tls-server-name': 'api.example',
        ...CA,
        'disable-compression': true,
        config: { audience: 'x' },
      },
      interactive: false,
    },
  });
});

test('a plugin’s certificate', async (t) => {
  const { url, visits } = await startTlsServer(t, ({ user }) =>
    user === expected ? {} : { status: 401 },
  );
  let expected = 'client-a';
  const status = (name) => ({
    clientCertificateData: pem(`${name}.crt`),
    clientKeyData: pem(`${name}.key`),
  });
  const { exec, told, say } = await makePlugin(status('client-a'));
  const { client } = await connect(t, { server: url, ...CA }, { exec });
  await client.json('/api');
  expected = 'client-b';
  await say(status('client-b'));
  await client.json('/api');
  assert.deepEqual(
    visits.map(({ user }) => user),
    ['client-a', 'client-a', 'client-b'],
  );
  assert.equal((await told()).length, 2);
});

test('plugins that give nothing, and why', async (t) => {
  const { url, visits } = await startTlsServer(t);
  const cases = [
    [credential({}), "exec plugin didn't return a token or cert/key pair"],
    [credential(undefined), "exec plugin didn't return a status field"],
    [credential({ clientKeyData: 'x' }), 'exec plugin returned only certificate or key, not both'],
    [
      credential({ token: 'x' }, 'client.authentication.k8s.io/v1beta1'),
      `exec plugin is configured to use API version ${V1}, plugin returned version ` +
        'client.authentication.k8s.io/v1beta1',
    ],
    ['nothing', /^decoding stdout: /],
    ['[]', 'decoding stdout: no object'],
    [{ kind: 'Pod' }, 'decoding stdout: no ExecCredential but Pod'],
    [credential({ token: 5 }), 'decoding stdout: status.token is no string'],
    [
      credential({ token: 'x', expirationTimestamp: 'soon' }),
      'decoding stdout: expirationTimestamp soon is no time',
    ],
  ];
  const { exec, write } = await makePlugin({});
  for (const [content, want] of cases) {
    await write(typeof content === 'string' ? content : JSON.stringify(content));
    const { client } = await connect(t, { server: url, ...CA }, { exec });
    await refused(client, want);
  }
  const run = async (changes) =>
    (await connect(t, { server: url, ...CA }, { exec: { ...exec, ...changes } })).client;
  await refused(
    await run({ command: 'no-such-plugin', installHint: 'Ask the admins.' }),
    /^exec: executable no-such-plugin not found\n\n.*has to be installed.*\n\nAsk the admins\.$/,
  );
  await refused(
    await run({ command: 'node', args: ['-e', 'process.exit(3)'] }),
    'exec: executable node failed with exit code 3',
  );
  await refused(
    await run({ command: 'node', args: ['-e', 'process.kill(process.pid)'] }),
    'exec: executable node failed with signal SIGTERM',
  );
  const endless = 'for (;;) require("node:fs").writeSync(1, "x".repeat(65536))';
  await refused(
    await run({ command: 'node', args: ['-e', endless] }),
    'exec: more than 1048576 bytes on stdout',
  );
  await refused(
    await run({ interactiveMode: 'Always' }),
    'exec plugin cannot support interactive mode: standard input is not a terminal',
  );
  assert.equal(visits.length, 0);
});

/** @param {import('../../../../js/src/client/api_client.js').ApiClient} client */
async function refused(client, want) {
  await assert.rejects(client.json('/api'), (error) => {
    assert.equal(error.code, 'NoCredentials');
    const message = error.message.replace('getting credentials: ', '');
    if (typeof want === 'string') assert.equal(message, want);
    else assert.match(message, want);
    return true;
  });
}

test('a plugin that does not end, ends with the client', { timeout: 20_000 }, async (t) => {
  const { url } = await startTlsServer(t);
  const { exec } = await makePlugin({});
  const started = join(folder, 'started');
  const code =
    'require("node:fs").writeFileSync(process.env.STARTED, String(process.pid));' +
    'setInterval(() => {}, 1e6)';
  const env = [{ name: 'STARTED', value: started }];
  const hanging = { ...exec, command: 'node', args: ['-e', code], env };
  const { client } = await connect(t, { server: url, ...CA }, { exec: hanging });
  const asked = client.json('/api');
  asked.catch(() => {});
  let pid;
  while (!pid) pid = Number(await readFile(started, 'utf8').catch(() => ''));
  await client.close();
  await assert.rejects(asked, /executable node failed with signal SIGTERM/);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('in a pod', async (t) => {
  const { port, visits } = await startTlsServer(t);
  const clock = virtualClock(0);
  const account = join(folder, 'account');
  const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) };
  const load = (more = {}) => inClusterConfig({ env: { ...env, ...more }, folder: account, clock });
  const code = 'NotInCluster';
  const about = 'unable to load in-cluster configuration: ';
  await assert.rejects(inClusterConfig({ env: {}, folder: account }), {
    code,
    message: `${about}KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined`,
  });
  await assert.rejects(load(), {
    code,
    message: `${about}open ${join(account, 'token')}: no such file or directory`,
  });
  await file('account/token', 'one');
  await assert.rejects(load(), {
    code,
    message: `${about}open ${join(account, 'ca.crt')}: no such file or directory`,
  });
  await file('account/ca.crt', pem('ca.crt'));
  const bare = await load();
  assert.equal(bare.namespace, 'default');
  await bare.close();
  await file('account/namespace', 'kube-system\n');
  const client = createApiClient({ ...(await load()), clock });
  t.after(() => client.close());
  assert.equal(client.namespace, 'kube-system');
  await client.json('/api');
  await file('account/token', 'two');
  clock.advanceTo(60_000);
  await client.json('/api');
  assert.deepEqual(
    visits.map(({ headers }) => headers.authorization),
    ['Bearer one', 'Bearer two'],
  );
  const other = await load({ KUBERNETES_SERVICE_HOST: 'fd00::1', POD_NAMESPACE: 'team-a' });
  assert.equal(other.baseUrl, `https://[fd00::1]:${port}`);
  assert.equal(other.namespace, 'team-a');
  await other.close();
});
