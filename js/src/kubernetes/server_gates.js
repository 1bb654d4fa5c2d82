/**
 * The feature gates that kube-scheduler has as all components do, and reads nothing of: they decide
 * what kube-apiserver and the controllers do. The engine does not know them.
 */
import { ConfigurationError } from './errors.js';
import { NEWEST, RELEASES } from './release.js';

/**
 * By feature gate, its state in each release: absent (-), off (a, b), on (B, G), or locked on (L).
 * Source: test/compatibility_lifecycle/reference/versioned_feature_list.yaml, v1.37, and for what
 * the last patches of v1.35 and v1.36 turn off, PR 137904 and PR 137926.
 */
export const SERVER_GATES = Object.freeze({
  CSIServiceAccountTokenSecrets: '--BLL',
  ClusterTrustBundleProjection: 'bbbbG',
  ContainerRestartRules: '-aBBB',
  ContainerStopSignals: 'aaaaa',
  CrossNamespaceVolumeDataSource: 'aaaaa',
  DeploymentReplicaSetTerminatingReplicas: 'aaBBB',
  EnvFiles: '-aBBB',
  HostnameOverride: '-aBBL',
  ImageVolume: 'bbBLL',
  JobManagedBy: 'BBLLL',
  MaxUnavailableStatefulSet: 'aabbB',
  MutablePodResourcesForSuspendedJobs: '--aBB',
  MutableSchedulingDirectivesForSuspendedJobs: '--aBB',
  PodCertificateRequest: '-abbG',
  ProcMountType: 'BBBLL',
  RelaxedServiceNameValidation: '-aaBL',
  ResourceHealthStatus: 'aaaBB',
  SELinuxChangePolicy: 'BBBLL',
  SupplementalGroupsPolicy: 'BBLLL',
  UserNamespacesSupport: 'BBBLL',
});

/**
 * Returns the column of a release in tables of states.
 * @param {string} [version] such as `1.34` or `v1.34.9`; unknown ones are as the newest
 * @returns {number}
 */
export function columnOf(version = NEWEST) {
  const release = /\d+\.\d+/.exec(version)?.[0];
  const known = RELEASES.findIndex((one) => one.replace('-preview', '') === release);
  return known < 0 ? RELEASES.indexOf(NEWEST) : known;
}

/**
 * Checks given feature gates as a component does when it starts.
 * @param {Record<string, boolean>} given
 * @param {Readonly<Record<string, string>>} states those of a name in it are checked
 * @param {string} [version]
 * @throws {ConfigurationError} if the release does not have a gate, or has locked it
 */
export function checkGates(given, states, version) {
  const column = columnOf(version);
  for (const [name, isOn] of Object.entries(given)) {
    const state = Object.hasOwn(states, name) ? states[name][column] : undefined;
    if (state === '-') refuse(name, `unrecognized feature gate: ${name}`);
    if (state === 'L' && !isOn)
      refuse(name, `cannot set feature gate ${name} to false, feature is locked to true`);
  }
}

/** @param {string} name @param {string} detail */
function refuse(name, detail) {
  throw new ConfigurationError(detail, [{ field: `featureGates.${name}`, detail }]);
}

/**
 * Returns those of the given gates that the engine knows or has to refuse.
 * @param {Record<string, boolean>} given
 * @param {string} [version] a release
 * @returns {Record<string, boolean>}
 * @throws {ConfigurationError} if the release does not have one of the others, or has locked it
 */
export function schedulerGates(given, version) {
  checkGates(given, SERVER_GATES, version);
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !Object.hasOwn(SERVER_GATES, name)),
  );
}
