/**
 * An admission webhook over HTTPS: informers feed a scheduler that never runs a cycle and only
 * evaluates what kube-scheduler would do with each pod or workload.
 * Usage: node server.js [--mode warn|deny|annotate] [--deny-when Never|NotNow] [--port 8443]
 *   [--host ::] [--tls FOLDER] [--kubeconfig FILE]
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { createScheduler } from 'stowage';
import { createAdmissionHandler } from 'stowage/admission';
import { createApiClient, createInformers } from 'stowage/informer';
import { inClusterConfig, listen, loadKubeconfig } from 'stowage/node';

import { admissionLists } from './admission_lists.js';

/** @typedef {import('stowage/admission').AdmissionOptions} AdmissionOptions */

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'warn' },
    'deny-when': { type: 'string', default: 'Never' },
    host: { type: 'string', default: '::' },
    port: { type: 'string', default: '8443' },
    tls: { type: 'string', default: '/etc/stowage/tls' },
    kubeconfig: { type: 'string' },
  },
});
const say = (/** @type {unknown} */ what) => console.error(String(what));

const { kubeconfig } = values;
const client = createApiClient(await (kubeconfig ? loadKubeconfig(kubeconfig) : inClusterConfig()));
const scheduler = await createScheduler({ api: 'host' });
const stop = new AbortController();
const { signal } = stop;
const informers = createInformers({ client, sink: scheduler, signal, onError: say });
const ended = informers.run();
const synced = informers.synced();
let isReady = false;
const lists = await admissionLists(client, say);

const handler = createAdmissionHandler({
  cluster: async () => {
    await synced;
    return scheduler;
  },
  mode: /** @type {AdmissionOptions['mode']} */ (values.mode),
  denyWhen: /** @type {AdmissionOptions['denyWhen']} */ (values['deny-when']),
  failurePolicy: 'Ignore',
  exempt: { labelSelector: 'stowage/admission=ignore' },
  ...lists,
  onError: say,
});

const [cert, key] = await Promise.all(
  ['tls.crt', 'tls.key'].map((name) => readFile(join(values.tls, name))),
);
const server = await listen(
  (request) =>
    new URL(request.url).pathname === '/readyz'
      ? new Response(null, { status: isReady ? 200 : 503 })
      : handler.fetch(request),
  { host: values.host, port: Number(values.port), tls: { cert, key }, onError: say },
);
say(`listening on ${server.url}`);
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

try {
  await synced;
  isReady = true;
  say('the cluster is known');
  await ended;
} catch (cause) {
  if (!signal.aborted) throw cause;
} finally {
  await server.close();
  await client.close();
  scheduler.dispose();
}
