/** Warns about pods that would find no node. Usage: node webhook.js KEY CERTIFICATE [PORT] */
import { readFile } from 'node:fs/promises';
import { createScheduler } from 'stowage';
import { createAdmissionHandler } from 'stowage/admission';
import { createApiClient, createInformers } from 'stowage/informer';
import { inClusterConfig, listen, loadKubeconfig } from 'stowage/node';

const [, , keyFile, certFile, port = '8443'] = process.argv;
const [key, cert] = await Promise.all([readFile(keyFile), readFile(certFile)]);
const client = createApiClient(
  await (process.env.KUBECONFIG ? loadKubeconfig() : inClusterConfig()),
);
const cluster = await createScheduler({ api: 'host' });
const informers = createInformers({ client, sink: cluster });
void informers.run();
await informers.synced();
const { fetch } = createAdmissionHandler({ cluster, mode: 'warn' });
const { url } = await listen(fetch, { host: '0.0.0.0', port: Number(port), tls: { key, cert } });
console.error(`listening on ${url}`);
