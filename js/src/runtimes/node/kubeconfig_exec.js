/**
 * Reads the exec plugin of a kubeconfig's user. Source: `validateAuthInfo` in
 * client-go/tools/clientcmd/validation.go, v1.36, and `SetDefaults_ExecConfig` in
 * client-go/tools/clientcmd/api/v1/defaults.go.
 */
import { dirname, resolve, sep } from 'node:path';

/**
 * @import { KubeconfigFault } from './kubeconfig_error.js'
 * @import { Fields } from './kubeconfig_fields.js'
 */

/**
 * @typedef {object} ExecConfig
 * @property {string} command an absolute path if it contained a slash; else it is searched in
 *   `PATH`
 * @property {string[]} args
 * @property {{ name: string, value: string }[]} env
 * @property {string} apiVersion
 * @property {string} installHint
 * @property {boolean} provideClusterInfo
 * @property {string} interactiveMode
 */

const V1BETA1 = 'client.authentication.k8s.io/v1beta1';
const API_VERSIONS = ['client.authentication.k8s.io/v1', V1BETA1];
const INTERACTIVE_MODES = ['Never', 'IfAvailable', 'Always'];

/**
 * @param {Fields} fields
 * @returns {ExecConfig}
 */
export function readExec(fields) {
  const command = fields.text('command');
  const apiVersion = fields.text('apiVersion');
  const isPath = command.includes('/') || command.includes(sep);
  const mode = fields.text('interactiveMode');
  return {
    command: isPath ? resolve(dirname(fields.file), command) : command,
    args: fields.texts('args'),
    env: fields.list('env').map((item) => ({ name: item.text('name'), value: item.text('value') })),
    apiVersion,
    installHint: fields.text('installHint'),
    provideClusterInfo: fields.flag('provideClusterInfo'),
    interactiveMode: mode || (apiVersion === V1BETA1 ? 'IfAvailable' : ''),
  };
}

/**
 * @param {string} name of the user
 * @param {ExecConfig} exec
 * @param {Fields} fields
 */
export function execFaults(name, { command, env, apiVersion, interactiveMode }, fields) {
  /** @type {KubeconfigFault[]} */
  const faults = [];
  const add = (/** @type {string} */ field, /** @type {string} */ detail) =>
    faults.push(fields.fault(field, detail));
  const missing = (/** @type {string} */ field, what = field) =>
    add(field, `${what} must be specified for ${name} to use exec authentication plugin`);
  if (!command) missing('command');
  if (!apiVersion) missing('apiVersion');
  else if (!API_VERSIONS.includes(apiVersion))
    add('apiVersion', `exec plugin: invalid apiVersion "${apiVersion}"`);
  if (env.some((variable) => !variable.name)) missing('env', 'env variable name');
  if (!interactiveMode) missing('interactiveMode');
  else if (!INTERACTIVE_MODES.includes(interactiveMode))
    add('interactiveMode', `invalid interactiveMode for ${name}: "${interactiveMode}"`);
  return faults;
}
