// Goal: requests use the proxy of the kubeconfig or the environment, and connect directly if the
// environment excludes the server. Method: a table, and a proxy that records its requests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { createApiClient } from '../../../../js/src/client/api_client.js';
import { createHttpFetch, loadKubeconfig } from '../../../../js/src/node.js';
import { proxyFromEnvironment } from '../../../../js/src/runtimes/node/proxy_from_environment.js';
import { makeFolder } from '../../support/folder.js';
import { pemData, startTlsServer } from './tls_server.js';

test('the environment determines the proxy of an address', () => {
  const P = 'http://proxy:3128';
  const cases = [
    ['https://api.example', {}, undefined],
    ['https://api.example', { HTTPS_PROXY: P }, P],
    ['https://api.example', { https_proxy: 'proxy:3128' }, P],
    ['https://api.example', { HTTP_PROXY: P }, undefined],
    ['http://api.example', { HTTP_PROXY: P }, P],
    ['https://localhost:6443', { HTTPS_PROXY: P }, undefined],
    ['https://127.1.2.3', { HTTPS_PROXY: P }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: P }, undefined],
    ['https://api.example', { HTTPS_PROXY: P, NO_PROXY: '*' }, undefined],
    ['https://api.example', { HTTPS_PROXY: P, NO_PROXY: 'other, example' }, undefined],
    ['https://api.example', { HTTPS_PROXY: P, no_proxy: 'API.example' }, undefined],
    ['https://api.example', { HTTPS_PROXY: P, NO_PROXY: 'pi.example' }, P],
    ['https://api.example', { HTTPS_PROXY: P, NO_PROXY: '.example' }, undefined],
    ['https://example', { HTTPS_PROXY: P, NO_PROXY: '.example' }, P],
    ['https://example', { HTTPS_PROXY: P, NO_PROXY: '*.example' }, P],
    ['https://a.b.example', { HTTPS_PROXY: P, NO_PROXY: '*.example' }, undefined],
    ['https://api.example', { HTTPS_PROXY: P, NO_PROXY: 'api.example:443' }, undefined],
    ['https://api.example:6443', { HTTPS_PROXY: P, NO_PROXY: 'api.example:443' }, P],
    ['https://10.1.2.3', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.0/8' }, undefined],
    ['https://11.1.2.3', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.0/8' }, P],
    ['https://10.1.2.3', { HTTPS_PROXY: P, NO_PROXY: '10.1.2.3' }, undefined],
    ['https://10.1.2.3:6443', { HTTPS_PROXY: P, NO_PROXY: '10.1.2.3:443' }, P],
    ['https://[fd00::5]', { HTTPS_PROXY: P, NO_PROXY: 'fd00::/8' }, undefined],
    ['https://[fd00::5]', { HTTPS_PROXY: P, NO_PROXY: 'fd00::5' }, undefined],
    ['https://[fd00::5]:6443', { HTTPS_PROXY: P, NO_PROXY: '[fd00::5]:6443' }, undefined],
    ['https://[fd00::5]', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.0/8,10.0.0.0/99,x/8' }, P],
    ['https://api.example', { HTTPS_PROXY: 'http://pro xy:80' }, undefined],
    ['https://api.example', { HTTPS_PROXY: 'http://me:%zz@proxy:80' }, undefined],
    ['https://api.example', { HTTPS_PROXY: 'socks5://p:1', NO_PROXY: 'example' }, undefined],
  ];
  for (const [address, env, want] of cases)
    assert.equal(proxyFromEnvironment(address, env), want, `${address} ${JSON.stringify(env)}`);
  assert.throws(
    () => proxyFromEnvironment('https://api.example', { https_proxy: 'socks5://me:secret@p:1' }),
    {
      code: 'InvalidKubeconfig',
      message: 'invalid https_proxy: unsupported scheme, must be one of http, https',
    },
  );
});

/** A proxy that tunnels everything to one port. @param {import('node:test').TestContext} t */
async function startProxy(t, port) {
  const asked = [];
  const server = createServer();
  const sockets = new Set();
  server.on('connect', ({ url, headers }, socket) => {
    asked.push([url, headers['proxy-authorization']]);
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const one of [socket, there]) {
      sockets.add(one);
      one.on('error', () => {});
    }
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `127.0.0.1:${server.address().port}`, asked };
}

test('a tunnel through a proxy reaches the server, with its own certificate', async (t) => {
  const { port, visits } = await startTlsServer(t);
  const { address, asked } = await startProxy(t, port);
  const { file } = await makeFolder();
  const write = (cluster) =>
    file('config', {
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [
        {
          name: 'u',
          user: {
            'client-certificate-data': pemData('client-a.crt'),
            'client-key-data': pemData('client-a.key'),
          },
        },
      ],
    });
  const CA = { 'certificate-authority-data': pemData('ca.crt') };
  const proxy = { 'proxy-url': `http://me:secret@${address}` };
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  const cases = [
    [{ server: 'https://api.example:6443', ...CA, ...proxy }, {}, ['api.example:6443', basic]],
    [
      { server: 'https://10.9.9.9', ...CA, 'tls-server-name': 'api.example' },
      { HTTPS_PROXY: address },
      ['10.9.9.9:443', undefined],
    ],
  ];
  for (const [cluster, env, want] of cases) {
    const client = createApiClient(await loadKubeconfig(await write(cluster), { env }));
    await client.json('/api');
    await client.close();
    assert.deepEqual(asked.pop(), want);
    assert.equal(visits.at(-1).user, 'client-a');
    assert.equal(visits.at(-1).serverName, 'api.example');
  }
});

/**
 * A proxy that goes silent: at once, or after it has promised a tunnel.
 * @param {import('node:test').TestContext} t
 * @param {string} answer to CONNECT
 */
async function startSilentProxy(t, answer) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {}).once('data', () => void socket.write(answer));
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { fetch, close } = createHttpFetch({
    proxyUrl: `http://127.0.0.1:${server.address().port}`,
  });
  const asked = fetch(new Request('https://10.9.9.9/'));
  asked.catch(() => {});
  const [socket] = await once(server, 'connection');
  // The request to the proxy, and after its answer the beginning of the handshake.
  for (const _ of answer ? [1, 2] : [1]) await once(socket, 'data');
  return { asked, close, ended: once(socket, 'close') };
}

/** What the proxy answers, and how long it may then be silent. */
const SILENT = /** @type {[string, number][]} */ ([
  ['', 60_000],
  ['HTTP/1.1 200 OK\r\n\r\n', 10_000],
]);

test('a tunnel that is never there ends with the client', { timeout: 20_000 }, async (t) => {
  for (const [answer] of SILENT) {
    const { asked, close, ended } = await startSilentProxy(t, answer);
    await close();
    await ended;
    await assert.rejects(asked, /were closed/);
  }
});

test('a tunnel that is never there is given up in time', { timeout: 20_000 }, async (t) => {
  for (const [answer, ms] of SILENT) {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { asked, close, ended } = await startSilentProxy(t, answer);
    t.mock.timers.tick(ms);
    await ended;
    await assert.rejects(asked, { code: 'ETIMEDOUT', message: /no connection within/ });
    await close();
    t.mock.timers.reset();
  }
});
