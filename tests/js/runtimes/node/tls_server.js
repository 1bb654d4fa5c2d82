/** An API server over TLS that requests client certificates, and reports its clients. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

/** @param {string} name of a file in certificates/ */
export function pem(name) {
  return readFileSync(certificatePath(name), 'utf8');
}

/** @param {string} name */
export function certificatePath(name) {
  return new URL(`certificates/${name}`, import.meta.url);
}

/** @param {string} name */
export function pemData(name) {
  return Buffer.from(pem(name)).toString('base64');
}

/**
 * @param {import('node:test').TestContext} test its end ends the server
 * @param {(seen: Visit) => { status?: number, body?: unknown }} [answer]
 */
export async function startTlsServer(test, answer = () => ({})) {
  /** @type {Visit[]} */
  const visits = [];
  const options = { key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt') };
  const server = createServer(
    { ...options, requestCert: true, rejectUnauthorized: false },
    async (request, response) => {
      const socket = /** @type {import('node:tls').TLSSocket} */ (request.socket);
      const visit = {
        path: request.url ?? '',
        headers: request.headers,
        user: socket.authorized ? (socket.getPeerCertificate().subject?.CN ?? '') : '',
        serverName: socket.servername || '',
        body: Buffer.concat(await request.toArray()).toString(),
      };
      visits.push(visit);
      const { status = 200, body = { kind: 'Status', status: 'Success' } } = answer(visit);
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    },
  );
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { port, url: `https://127.0.0.1:${port}`, visits };
}

/**
 * @typedef {object} Visit
 * @property {string} path
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} user the client certificate's name; empty if it sent none
 * @property {string} serverName the server name that the client requested
 * @property {string} body
 */
