// Goal: kubeconfigs have the same meaning as for kubectl, and their faults are reported in its
// words, with file and field. Method: tables of files.
import assert from 'node:assert/strict';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { loadKubeconfig } from '../../../../js/src/node.js';
import { makeFolder } from '../../support/folder.js';
import { pem, pemData } from './tls_server.js';

const CA = pemData('ca.crt');

/** Returns a complete kubeconfig with one context; the arguments add or replace fields. */
function config({ context = {}, cluster = {}, user = {}, ...rest } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', ...context } }],
    clusters: [{ name: 'c', cluster: { server: 'https://api.example:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    ...rest,
  };
}

const { folder: all, file: write } = await makeFolder();
let count = 0;

/** @param {Record<string, unknown>} files @returns {Promise<string>} their folder */
async function prepare(files) {
  count += 1;
  for (const [name, content] of Object.entries(files)) await write(`${count}/${name}`, content);
  return join(all, String(count));
}

/** @param {Awaited<ReturnType<typeof loadKubeconfig>>} options */
async function shown(options) {
  const headers = await options.headers({ refresh: false });
  await options.close();
  return { baseUrl: options.baseUrl, namespace: options.namespace, headers };
}

const EXEC = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'x',
  interactiveMode: 'Never',
};

/** As a header's text has it, with a character per byte. @param {string} text */
const utf8 = (text) => Buffer.from(text).toString('latin1');

const BEARER = { Authorization: 'Bearer abc' };
/** Each row: the file's content, the options, and the result. */
const CONTEXTS = [
  ['a token', config({ user: { token: 'abc' } }), {}, { headers: BEARER }],
  ['no user', config(), {}, { headers: {} }],
  [
    'a password',
    config({ user: { username: 'me', password: 'sécret' } }),
    {},
    { headers: { Authorization: `Basic ${Buffer.from('me:sécret').toString('base64')}` } },
  ],
  [
    'a namespace',
    config({ context: { namespace: 'team-a' } }),
    {},
    { namespace: 'team-a', headers: {} },
  ],
  [
    'another context',
    config({
      contexts: [
        { name: 'here', context: { cluster: 'nowhere', user: 'missing' } },
        { name: 'there', context: { cluster: 'c', user: 'u' } },
      ],
      user: { token: 'abc' },
    }),
    { context: 'there' },
    { headers: BEARER },
  ],
  [
    'another user',
    config({
      user: {
        token: 'abc',
        as: 'jane',
        'as-uid': '7',
        'as-groups': ['team'],
        'as-user-extra': { 'example.com/scope': ['all'] },
      },
    }),
    {},
    {
      headers: {
        ...BEARER,
        'Impersonate-User': 'jane',
        'Impersonate-Uid': '7',
        'Impersonate-Group': 'team',
        'Impersonate-Extra-example.com%2Fscope': 'all',
      },
    },
  ],
  [
    'an uncompressed answer',
    config({ cluster: { 'disable-compression': true } }),
    {},
    { headers: { 'Accept-Encoding': 'identity' } },
  ],
  [
    'http',
    config({ cluster: { server: 'http://[::1]:8080/base/' } }),
    {},
    {
      baseUrl: 'http://[::1]:8080/base/',
      headers: {},
    },
  ],
  [
    'credentials, which http would give away',
    config({
      cluster: { server: 'http://api:8080' },
      user: { token: 'abc', as: 'jane', exec: { ...EXEC, command: 'no' } },
    }),
    {},
    { baseUrl: 'http://api:8080', headers: { 'Impersonate-User': 'jane' } },
  ],
  [
    'a plugin, which http does not need',
    config({ cluster: { server: 'http://api:8080' }, user: { exec: EXEC } }),
    {},
    { baseUrl: 'http://api:8080', headers: {} },
  ],
  [
    'a user whose name is not ASCII',
    config({ user: { as: 'jäne', 'as-groups': ['日本'] } }),
    {},
    {
      headers: { 'Impersonate-User': utf8('jäne'), 'Impersonate-Group': utf8('日本') },
    },
  ],
  [
    'a context without a user',
    config({ contexts: [{ name: 'here', context: { cluster: 'c' } }] }),
    {},
    { headers: {} },
  ],
  [
    'a user who is not there, where no credentials are sent',
    config({ cluster: { server: 'http://api:8080' }, users: [] }),
    {},
    { baseUrl: 'http://api:8080', headers: {} },
  ],
  [
    'a scheme in capitals',
    config({ cluster: { server: 'HTTPS://api.example:6443' }, user: { token: 'abc' } }),
    {},
    { headers: BEARER },
  ],
  [
    'no scheme',
    config({ cluster: { server: 'api:1' } }),
    {},
    {
      baseUrl: 'http://api:1',
      headers: {},
    },
  ],
  [
    'no scheme but certificates',
    config({ cluster: { server: 'api:1', 'certificate-authority-data': CA } }),
    {},
    { baseUrl: 'https://api:1', headers: {} },
  ],
  [
    'a token in place of a plugin',
    config({
      user: {
        token: 'abc',
        exec: { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'no' },
      },
    }),
    {},
    { headers: BEARER },
  ],
];

test('a context determines the cluster, the user and the namespace', async () => {
  for (const [name, content, options, want] of CONTEXTS) {
    const folder = await prepare({ config: content });
    const loaded = await loadKubeconfig(join(folder, 'config'), { env: {}, ...options });
    const all = { baseUrl: 'https://api.example:6443', namespace: 'default', ...want };
    assert.deepEqual(await shown(loaded), all, name);
  }
});

test('YAML as people write it', async () => {
  const text = `
apiVersion: v1
kind: Config
current-context: here # a comment
common: &common {server: "https://api.example"}
clusters:
- name: c
  cluster:
    <<: *common
    certificate-authority-data: >-
      ${CA.slice(0, 40)}
      ${CA.slice(40)}
contexts: [{name: here, context: {cluster: c, user: u, namespace: }}]
users:
- name: u
  user: {token: 'abc', client-certificate: ''}
preferences: {}
`;
  const folder = await prepare({ config: text.replace('>-\n      ', '').replace(/\n {6}/, '') });
  const loaded = await loadKubeconfig(join(folder, 'config'), { env: {} });
  assert.deepEqual(await shown(loaded), {
    baseUrl: 'https://api.example',
    namespace: 'default',
    headers: { Authorization: 'Bearer abc' },
  });
});

test('several files are merged: of every name, the first counts', async () => {
  const named = (name, token, server) => ({
    ...config({ user: { token }, cluster: { server } }),
    'current-context': name,
  });
  const folder = await prepare({
    '.kube/config': named('here', 'home', 'https://home.example'),
    first: named('here', 'first', 'https://first.example'),
    second: named('there', 'second', 'https://second.example'),
    'users-only': { users: [{ name: 'u', user: { token: 'users' } }] },
    'without-current': { ...named('', 'later', 'https://later.example') },
    empty: '',
  });
  const list = (...names) => names.map((name) => join(folder, name)).join(delimiter);
  const cases = [
    ['', 'https://home.example', 'home'],
    [list('first'), 'https://first.example', 'first'],
    [list('first', 'second'), 'https://first.example', 'first'],
    [list('users-only', 'second', 'first'), undefined, 'context "there" does not exist'],
    [list('users-only', 'first'), 'https://first.example', 'users'],
    [list('without-current', 'first'), 'https://later.example', 'later'],
    [list('not-there', 'empty', 'first'), 'https://first.example', 'first'],
    [`${delimiter}${list('first')}${delimiter}`, 'https://first.example', 'first'],
  ];
  for (const [KUBECONFIG, baseUrl, token] of cases) {
    const loading = loadKubeconfig(undefined, { env: { HOME: folder, KUBECONFIG } });
    if (baseUrl === undefined) {
      await assert.rejects(loading, { message: token }, KUBECONFIG);
      continue;
    }
    const { headers, ...rest } = await shown(await loading);
    assert.deepEqual(headers, { Authorization: `Bearer ${token}` }, KUBECONFIG);
    assert.equal(rest.baseUrl, baseUrl, KUBECONFIG);
  }
  const alone = await loadKubeconfig(join(folder, 'second'), {
    env: { KUBECONFIG: list('first') },
    context: 'here',
  });
  assert.equal((await shown(alone)).baseUrl, 'https://second.example');
});

test('paths are relative to the file that they stand in', async () => {
  const folder = await prepare({
    'a/config': {
      ...config({
        cluster: { 'certificate-authority': 'pki/ca.crt' },
        user: { tokenFile: '../token' },
      }),
    },
    'a/pki/ca.crt': pem('ca.crt'),
    token: 'from-file\n',
  });
  const loaded = await loadKubeconfig(join(folder, 'a', 'config'), { env: {} });
  assert.deepEqual((await shown(loaded)).headers, { Authorization: 'Bearer from-file' });
});

/** Each row: the file's content and its faults; `F` stands for the file, `D` its folder. */
const FAULTS = [
  [
    'no server',
    config({ cluster: { server: '' } }),
    'invalid configuration: no server found for cluster "c" (F: clusters[0].cluster.server)',
  ],
  [
    'no address',
    config({ cluster: { server: 'ftp://x' } }),
    'invalid configuration: invalid server ftp://x for cluster "c" (F: clusters[0].cluster.server)',
  ],
  [
    'nothing that the context names',
    config({ contexts: [{ name: 'here', context: { cluster: 'x', user: 'y' } }] }),
    'invalid configuration: [user "y" was not found for context "here" ' +
      '(F: contexts[0].context.user), cluster "x" was not found for context "here" ' +
      '(F: contexts[0].context.cluster)]',
  ],
  [
    'a user who is not there',
    config({ users: [] }),
    'invalid configuration: user "u" was not found for context "here" ' +
      '(F: contexts[0].context.user)',
  ],
  [
    'a context that names nothing',
    config({ contexts: [{ name: 'here', context: { namespace: 'No' } }] }),
    'invalid configuration: [cluster was not specified for context "here" ' +
      '(F: contexts[0].context.cluster), namespace "No" for context "here" does not conform to ' +
      'the kubernetes DNS_LABEL rules (F: contexts[0].context.namespace)]',
  ],
  ['no current context', config({ 'current-context': '' }), 'current-context is not set'],
  ['no such context', config({ 'current-context': 'x' }), 'context "x" does not exist'],
  [
    'a CA that is not there',
    config({ cluster: { 'certificate-authority': 'ca.crt' } }),
    'invalid configuration: unable to read certificate-authority D/ca.crt for c due to ' +
      'open D/ca.crt: no such file or directory (F: clusters[0].cluster.certificate-authority)',
  ],
  [
    'a CA, and no look at it',
    config({ cluster: { 'certificate-authority-data': CA, 'insecure-skip-tls-verify': true } }),
    'invalid configuration: specifying a root certificates file with the insecure flag is not ' +
      'allowed (F: clusters[0].cluster.insecure-skip-tls-verify)',
  ],
  [
    'a proxy of another kind',
    config({ cluster: { 'proxy-url': 'socks5://proxy:1080' } }),
    'invalid configuration: invalid \'proxy-url\' "socks5://proxy:1080" for cluster "c": ' +
      'unsupported scheme, must be one of http, https (F: clusters[0].cluster.proxy-url)',
  ],
  [
    'a proxy whose password cannot be decoded',
    config({ cluster: { 'proxy-url': 'http://me:%zz@proxy' } }),
    'invalid configuration: invalid \'proxy-url\' "http://me:%zz@proxy" for cluster "c": ' +
      'could not parse it (F: clusters[0].cluster.proxy-url)',
  ],
  [
    'two credentials',
    config({ user: { token: 'a', username: 'b' } }),
    'invalid configuration: more than one authentication method found for u; ' +
      'found [token basicAuth], only one is allowed (F: users[0].user)',
  ],
  [
    'a certificate without its key',
    config({ user: { 'client-certificate-data': CA } }),
    'invalid configuration: client-key-data or client-key must be specified for u to use the ' +
      'clientCert authentication method. (F: users[0].user.client-key)',
  ],
  [
    'files that are not there',
    config({ user: { 'client-certificate': 'a.crt', 'client-key': 'a.key', tokenFile: 't' } }),
    'invalid configuration: [unable to read client-cert D/a.crt for u due to open D/a.crt: ' +
      'no such file or directory (F: users[0].user.client-certificate), unable to read ' +
      'client-key D/a.key for u due to open D/a.key: no such file or directory ' +
      '(F: users[0].user.client-key), unable to read tokenFile D/t for u due to open D/t: ' +
      'no such file or directory (F: users[0].user.tokenFile)]',
  ],
  [
    'a provider that is gone',
    config({ user: { 'auth-provider': { name: 'gcp' } } }),
    'invalid configuration: The gcp auth plugin has been removed. Please use the ' +
      '"gke-gcloud-auth-plugin" kubectl/client-go credential plugin instead. ' +
      '(F: users[0].user.auth-provider.name)',
  ],
  [
    'a provider that never was',
    config({ user: { 'auth-provider': { name: 'x' } } }),
    'invalid configuration: no Auth Provider found for name "x"; use an exec plugin ' +
      '(F: users[0].user.auth-provider.name)',
  ],
  [
    'a provider beside a plugin',
    config({ user: { 'auth-provider': { name: 'gcp' }, exec: EXEC } }),
    'invalid configuration: authProvider cannot be provided in combination with an exec plugin ' +
      'for u (F: users[0].user.auth-provider)',
  ],
  [
    'a plugin of nothing',
    config({ user: { exec: { env: [{ value: 'x' }] } } }),
    'invalid configuration: [command must be specified for u to use exec authentication plugin ' +
      '(F: users[0].user.exec.command), apiVersion must be specified for u to use exec ' +
      'authentication plugin (F: users[0].user.exec.apiVersion), env variable name must be ' +
      'specified for u to use exec authentication plugin (F: users[0].user.exec.env), ' +
      'interactiveMode must be specified for u to use exec authentication plugin ' +
      '(F: users[0].user.exec.interactiveMode)]',
  ],
  [
    'a plugin of another time',
    config({
      user: {
        exec: {
          ...EXEC,
          apiVersion: 'client.authentication.k8s.io/v1alpha1',
          interactiveMode: 'X',
        },
      },
    }),
    'invalid configuration: [exec plugin: invalid apiVersion ' +
      '"client.authentication.k8s.io/v1alpha1" (F: users[0].user.exec.apiVersion), ' +
      'invalid interactiveMode for u: "X" (F: users[0].user.exec.interactiveMode)]',
  ],
  [
    'groups without a user',
    config({ user: { 'as-groups': ['a'] } }),
    'invalid configuration: requesting uid, groups or user-extra for u without impersonating a ' +
      'user (F: users[0].user.as)',
  ],
  [
    'more groups than can be sent',
    config({ user: { as: 'jane', 'as-groups': ['a', 'b'] } }),
    'invalid configuration: more than one value cannot be sent for u ' +
      '(F: users[0].user.as-groups)',
  ],
  [
    'a number for a string',
    config({ user: { token: 12 } }),
    'error loading config file "F": users[0].user.token must be a string',
  ],
  [
    'a string for a switch',
    config({ cluster: { 'insecure-skip-tls-verify': 'yes' } }),
    'error loading config file "F": clusters[0].cluster.insecure-skip-tls-verify must be ' +
      'true or false',
  ],
  [
    'no base64',
    config({ cluster: { 'certificate-authority-data': '%%%' } }),
    'error loading config file "F": clusters[0].cluster.certificate-authority-data must be base64',
  ],
  ['no list', config({ users: { u: {} } }), 'error loading config file "F": users must be a list'],
  [
    'a name twice',
    config({ users: [{ name: 'u' }, { name: 'u' }] }),
    'error loading config file "F": duplicate name "u" in list users',
  ],
  ['no object', '- a', 'error loading config file "F": the file must be an object'],
  [
    'another kind',
    { apiVersion: 'v1', kind: 'Pod' },
    'error loading config file "F": no kind "Config" of v1 but v1, Kind=Pod',
  ],
  ['no YAML', 'a: [', /^error loading config file "F": yaml: Flow sequence in block collection/],
  ['nothing', '', 'invalid configuration: no configuration has been provided; looked for F'],
  [
    'a CA that is none',
    config({ cluster: { 'certificate-authority-data': Buffer.from('x').toString('base64') } }),
    'getting credentials: unable to load root certificates: unable to parse bytes as PEM block',
  ],
  [
    'a key that does not fit',
    config({
      user: {
        'client-certificate-data': pemData('client-a.crt'),
        'client-key-data': pemData('client-b.key'),
      },
    }),
    /^getting credentials: .*key values mismatch/,
  ],
];

test('faults, with file and field', async () => {
  for (const [name, content, want] of FAULTS) {
    const folder = await prepare({ config: content });
    const file = join(folder, 'config');
    const error = await loadKubeconfig(file, { env: {} }).then(
      (options) => options.close(),
      (cause) => cause,
    );
    const message = error.message.replaceAll(file, 'F').replaceAll(folder, 'D');
    if (typeof want === 'string') assert.equal(message, want, name);
    else assert.match(message, want, name);
    assert.match(error.code, /^((Invalid|No)Kubeconfig|NoCredentials)$/, name);
    assert.equal(error.toStatus().message, error.message, name);
  }
});

test('a file that must be there', async () => {
  const folder = join(all, 'nothing');
  const file = join(folder, 'config');
  const message = `stat ${file}: no such file or directory`;
  await assert.rejects(loadKubeconfig(file, { env: {} }), { code: 'NoKubeconfig', message });
  await assert.rejects(loadKubeconfig(undefined, { env: { HOME: folder } }), {
    code: 'NoKubeconfig',
    message:
      'invalid configuration: no configuration has been provided; looked for ' +
      join(folder, '.kube', 'config'),
  });
  await assert.rejects(loadKubeconfig(all, { env: {} }), /error loading config file .*EISDIR/);
});
