/**
 * Creates a key and a certificate for the webhook's Service, and prints the objects that contain
 * them: the Secret that the server reads, and the webhook configurations that trust it.
 * Usage: node certificate.js validating.yaml [mutating.yaml] | kubectl apply -f -
 */
import { readFile } from 'node:fs/promises';

import { generate } from 'selfsigned';
import { parse } from 'stowage/manifests';

/** Days until it must be run again. */
const VALIDITY = 365;

const texts = await Promise.all(process.argv.slice(2).map((file) => readFile(file, 'utf8')));
/** @type {any[]} */
const configurations = texts.flatMap((text) => [...parse(text)]);
const webhooks = configurations.flatMap((configuration) => configuration.webhooks);
if (webhooks.length === 0)
  throw new Error('which webhook configurations? node certificate.js FILE…');
const { name, namespace } = webhooks[0].clientConfig.service;
const host = `${name}.${namespace}.svc`;

const { cert, private: key } = await generate([{ name: 'commonName', value: host }], {
  keyType: 'ec',
  algorithm: 'sha256',
  notAfterDate: new Date(Date.now() + VALIDITY * 24 * 3600 * 1000),
  extensions: [
    { name: 'keyUsage', digitalSignature: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
  ],
});

// The certificate is self-signed: the API server trusts this one and no other.
const caBundle = Buffer.from(cert).toString('base64');
for (const { clientConfig } of webhooks) clientConfig.caBundle = caBundle;
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `${name}-tls`, namespace },
  type: 'kubernetes.io/tls',
  stringData: { 'tls.crt': cert, 'tls.key': key },
};
const items = [secret, ...configurations];
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2));
