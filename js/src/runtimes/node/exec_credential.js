/**
 * Encodes the input and decodes the output of exec plugins: `ExecCredential`. Source:
 * client-go/plugin/pkg/client/auth/exec/exec.go, v1.36, and "Input and output formats" of the
 * Kubernetes documentation about client-go credential plugins.
 */
import { isRecord, wordsOf } from '../../kubernetes/values.js';

/**
 * @typedef {object} Credentials
 * @property {string} token empty if there is none
 * @property {string} certificate PEM; empty if there is none
 * @property {string} key PEM
 * @property {number} expiresAt milliseconds since the epoch; Infinity if it never expires
 */

/**
 * Returns the value of `KUBERNETES_EXEC_INFO`.
 * @param {{ apiVersion: string, isInteractive: boolean, cluster?: object }} options
 */
export function execInfo({ apiVersion, isInteractive, cluster }) {
  const spec = { ...(cluster && { cluster }), interactive: isInteractive };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

/**
 * @param {string} stdout
 * @param {string} wanted the expected API version
 * @returns {Credentials}
 * @throws {Error} with client-go's messages
 */
export function credentialsFrom(stdout, wanted) {
  const { kind, apiVersion, status } = parsed(stdout);
  if (kind !== 'ExecCredential') throw new Error(`decoding stdout: no ExecCredential but ${kind}`);
  if (apiVersion !== wanted) {
    const returned = `plugin returned version ${apiVersion}`;
    throw new Error(`exec plugin is configured to use API version ${wanted}, ${returned}`);
  }
  if (!isRecord(status)) throw new Error("exec plugin didn't return a status field");
  const token = textOf(status, 'token');
  const certificate = textOf(status, 'clientCertificateData');
  const key = textOf(status, 'clientKeyData');
  if (!token && !certificate && !key)
    throw new Error("exec plugin didn't return a token or cert/key pair");
  if (!certificate !== !key)
    throw new Error('exec plugin returned only certificate or key, not both');
  const expiry = textOf(status, 'expirationTimestamp');
  const expiresAt = expiry ? Date.parse(expiry) : Infinity;
  if (Number.isNaN(expiresAt))
    throw new Error(`decoding stdout: expirationTimestamp ${expiry} is no time`);
  return { token, certificate, key, expiresAt };
}

/** @param {string} stdout @returns {Record<string, unknown>} */
function parsed(stdout) {
  let value;
  try {
    value = JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`decoding stdout: ${wordsOf(cause)}`, { cause });
  }
  if (!isRecord(value)) throw new Error('decoding stdout: no object');
  return value;
}

/** @param {Record<string, unknown>} status @param {string} name */
function textOf(status, name) {
  const value = status[name] ?? '';
  if (typeof value === 'string') return value;
  throw new Error(`decoding stdout: status.${name} is no string`);
}
