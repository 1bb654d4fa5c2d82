/**
 * Reads a user of a kubeconfig. Source: `validateAuthInfo` in
 * client-go/tools/clientcmd/validation.go, v1.36.
 */
import { own } from '../../kubernetes/values.js';
import { dataOrFile, pathOf, unreadable } from './data_or_file.js';
import { execFaults, readExec } from './kubeconfig_exec.js';

/**
 * @import { DataOrFile } from './data_or_file.js'
 * @import { ExecConfig } from './kubeconfig_exec.js'
 * @import { KubeconfigFault } from './kubeconfig_error.js'
 * @import { Fields } from './kubeconfig_fields.js'
 */

/**
 * Unset fields are empty.
 * @typedef {object} User
 * @property {string} token
 * @property {string} tokenFile
 * @property {string} username
 * @property {string} password
 * @property {DataOrFile} certificate
 * @property {DataOrFile} key
 * @property {ExecConfig | undefined} exec
 * @property {Impersonation} impersonation
 */

/**
 * @typedef {{ user: string, uid: string, groups: string[], extra: Record<string, string[]> }}
 *   Impersonation
 */

/** Upstream's messages about the providers that it removed. @type {Record<string, string>} */
const GONE = {
  azure:
    'The azure auth plugin has been removed. Please use the https://github.com/Azure/kubelogin ' +
    'kubectl/client-go credential plugin instead.',
  gcp:
    'The gcp auth plugin has been removed. Please use the "gke-gcloud-auth-plugin" ' +
    'kubectl/client-go credential plugin instead.',
};

/**
 * @param {string} name
 * @param {Fields} fields
 * @returns {Promise<{ user: User, faults: KubeconfigFault[] }>}
 */
export async function readUser(name, fields) {
  const extra = fields.record('as-user-extra');
  const exec = fields.record('exec');
  const user = {
    token: fields.text('token'),
    tokenFile: pathOf(fields, 'tokenFile'),
    username: fields.text('username'),
    password: fields.text('password'),
    certificate: dataOrFile(fields, 'client-certificate'),
    key: dataOrFile(fields, 'client-key'),
    exec: exec && readExec(exec),
    impersonation: {
      user: fields.text('as'),
      uid: fields.text('as-uid'),
      groups: fields.texts('as-groups'),
      extra: Object.fromEntries((extra?.names ?? []).map((key) => [key, extra?.texts(key) ?? []])),
    },
  };
  const faults = [
    ...(await certificateFaults(name, user, fields)),
    ...(exec && user.exec ? execFaults(name, user.exec, exec) : []),
    ...methodFaults(name, user, fields),
    ...impersonationFaults(name, user.impersonation, fields),
  ];
  return { user, faults };
}

/**
 * @param {string} name
 * @param {User} user
 * @param {Fields} fields
 */
async function certificateFaults(name, { certificate, key, tokenFile }, fields) {
  /** @type {KubeconfigFault[]} */
  const faults = [];
  const add = (/** @type {string} */ field, /** @type {string} */ detail) =>
    faults.push(fields.fault(field, detail));
  if (certificate.data || certificate.file) {
    if (certificate.data && certificate.file) {
      const detail = `client-cert-data and client-cert are both specified for ${name}. `;
      add('client-certificate', `${detail}client-cert-data will override.`);
    }
    if (key.data && key.file) {
      const detail = `client-key-data and client-key are both specified for ${name}; `;
      add('client-key', `${detail}client-key-data will override`);
    }
    if (!key.data && !key.file) {
      const detail = `client-key-data or client-key must be specified for ${name} `;
      add('client-key', `${detail}to use the clientCert authentication method.`);
    }
  }
  const files = { 'client-cert': certificate.file, 'client-key': key.file, tokenFile };
  for (const [what, file] of Object.entries(files)) {
    const why = await unreadable(file);
    const field = what === 'client-cert' ? 'client-certificate' : what;
    if (why) add(field, `unable to read ${what} ${file} for ${name} due to ${why}`);
  }
  return faults;
}

/**
 * @param {string} name
 * @param {User} user
 * @param {Fields} fields
 */
function methodFaults(name, { token, tokenFile, username, password, exec }, fields) {
  /** @type {KubeconfigFault[]} */
  const faults = [];
  if ((token || tokenFile) && (username || password)) {
    const detail = `more than one authentication method found for ${name}; `;
    const found = 'found [token basicAuth], only one is allowed';
    faults.push(fields.fault('', detail + found));
  }
  const provider = fields.record('auth-provider');
  if (provider && exec) {
    const detail = 'authProvider cannot be provided in combination with an exec plugin for';
    faults.push(fields.fault('auth-provider', `${detail} ${name}`));
  } else if (provider) {
    const kind = provider.text('name');
    const detail =
      own(GONE, kind) ?? `no Auth Provider found for name "${kind}"; use an exec plugin`;
    faults.push(provider.fault('name', detail));
  }
  return faults;
}

/**
 * @param {string} name
 * @param {Impersonation} impersonation
 * @param {Fields} fields
 */
function impersonationFaults(name, { user, uid, groups, extra }, fields) {
  /** @type {KubeconfigFault[]} */
  const faults = [];
  const values = Object.values(extra);
  if (!user && (uid || groups.length > 0 || values.length > 0)) {
    const detail = `requesting uid, groups or user-extra for ${name} without impersonating a user`;
    faults.push(fields.fault('as', detail));
  }
  // `fetch` joins equal headers with commas, and an API server reads the result as one value.
  const lists = { 'as-groups': [groups], 'as-user-extra': values };
  for (const [field, texts] of Object.entries(lists))
    if (texts.some(({ length }) => length > 1))
      faults.push(fields.fault(field, `more than one value cannot be sent for ${name}`));
  return faults;
}
