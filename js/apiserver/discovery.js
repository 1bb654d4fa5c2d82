/**
 * Discovery: the legacy documents, one per group, and the aggregated document.
 * Counterpart: apiserver/pkg/endpoints/discovery, v1.36.
 */
import { acceptsAggregatedDiscovery } from './negotiation.js';
import { present } from './object_meta.js';
import { RESOURCES } from '../src/kubernetes/kinds.js';
import { jsonResponse } from './responses.js';
import { noSuchPath } from '../src/kubernetes/status_errors.js';

/**
 * @import { PlainRequest, PlainResponse } from '../src/io/plain_http.js'
 * @import { Resource, Subresource } from '../src/kubernetes/kinds.js'
 */

/** The version whose API the server serves. */
export const KUBERNETES_VERSION = 'v1.36.0';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** `v1`, `apps/v1`… in the order of the resources. */
const API_VERSIONS = [...new Set(RESOURCES.map(({ apiVersion }) => apiVersion))];
const GROUPS = [...new Set(RESOURCES.map(({ group }) => group))].filter((group) => group !== '');

/**
 * @param {string[]} parts of the path, from `api` or `apis` on
 * @param {PlainRequest} request
 * @returns {PlainResponse}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound
 */
export function serveDiscovery(parts, request) {
  const [root, group, version] = parts;
  if (root === 'api') {
    if (group !== undefined) return json(resourceList(group));
    return isAggregated(request) ? aggregated(['']) : json(coreVersions());
  }
  if (group === undefined) {
    return isAggregated(request) ? aggregated(GROUPS) : json(groupList());
  }
  if (version !== undefined) return json(resourceList(`${group}/${version}`));
  if (!GROUPS.includes(group)) throw noSuchPath();
  return json({ kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) });
}

/**
 * `/version`.
 * @param {string} gitVersion such as `v1.34.9`
 */
export function serverVersion(gitVersion) {
  const [major, minor] = gitVersion.slice(1).split('.');
  return json({
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: '',
    compiler: '',
    platform: 'stowage/embedded',
  });
}

/** @param {PlainRequest} request */
function isAggregated(request) {
  return acceptsAggregatedDiscovery(request.headers.get('Accept'));
}

function coreVersions() {
  const versions = API_VERSIONS.filter((version) => !version.includes('/'));
  return { kind: 'APIVersions', versions, serverAddressByClientCIDRs: [] };
}

function groupList() {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: GROUPS.map(apiGroup) };
}

/** @param {string} name */
function apiGroup(name) {
  const versions = API_VERSIONS.filter((version) => version.startsWith(`${name}/`)).map(
    (groupVersion) => ({ groupVersion, version: groupVersion.slice(name.length + 1) }),
  );
  return { name, versions, preferredVersion: versions[0] };
}

/** @param {string} groupVersion */
function resourceList(groupVersion) {
  const served = RESOURCES.filter(({ apiVersion }) => apiVersion === groupVersion);
  if (served.length === 0) throw noSuchPath();
  const resources = served.flatMap((resource) => [
    apiResource(resource),
    ...resource.subresources.map((subresource) => apiSubresource(resource, subresource)),
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

/** @param {Resource} resource */
function apiResource({ plural, singular, namespaced, kind, verbs, shortNames, categories }) {
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
}

/**
 * @param {Resource} resource
 * @param {Subresource} subresource
 */
function apiSubresource({ plural, namespaced }, { name, group, version, kind, verbs }) {
  const fullName = `${plural}/${name}`;
  return present({ name: fullName, singularName: '', namespaced, group, version, kind, verbs });
}

/** @param {string[]} groups */
function aggregated(groups) {
  const items = groups.map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: [
      ...new Set(RESOURCES.filter((one) => one.group === group).map((one) => one.version)),
    ].map((version) => ({
      version,
      resources: RESOURCES.filter((one) => one.group === group && one.version === version).map(
        discoveredResource,
      ),
      freshness: 'Current',
    })),
  }));
  const list = {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items,
  };
  return jsonResponse(JSON.stringify(list), { headers: { 'content-type': AGGREGATED } });
}

/** @param {Resource} resource */
function discoveredResource(resource) {
  const { plural, singular, group, version, kind, verbs, shortNames, categories } = resource;
  const subresources = resource.subresources.map((one) => ({
    subresource: one.name,
    responseKind: {
      group: one.group ?? group,
      version: one.version ?? version,
      kind: one.kind,
    },
    verbs: one.verbs,
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** @param {object} document */
function json(document) {
  return jsonResponse(JSON.stringify(document));
}
