/**
 * OpenAPI v3, generated from the types: the fields of every kind, and the patch types. kubectl
 * reads it to learn that the server validates fields and how lists are patched, and for `explain`.
 * Source: "OpenAPI V3" of the Kubernetes documentation; kube-openapi's names and extensions.
 */
import { PlainResponse } from '../src/io/plain_http.js';
import { RESOURCES } from '../src/kubernetes/kinds.js';
import { jsonResponse } from './responses.js';
import { structOf } from './schema/types.js';
import { noSuchPath } from '../src/kubernetes/status_errors.js';

/**
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { Basic, Field, Shape, Struct } from './schema/types.js'
 */

/** The prefixes of packages in Go and in OpenAPI. */
const API_PACKAGE = 'io.k8s.api.';
const META_PACKAGE = 'io.k8s.apimachinery.pkg.apis.';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

const PATCH_TYPES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

/** @type {Record<Basic, object>} */
const BASICS = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  Quantity: { $ref: `#/components/schemas/${QUANTITY}` },
  IntOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
};

/** OpenAPI v2 in protobuf, and its media type. It contains only `swagger: "2.0"`. */
const V2 = Uint8Array.of(0x0a, 3, 0x32, 0x2e, 0x30);
const V2_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Created on request. @type {Map<string, string>} */
const DOCUMENTS = new Map();

/**
 * @param {string[]} parts of the path after `/openapi`
 * @returns {PlainResponse}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound
 */
export function serveOpenApi([specification, ...parts]) {
  if (specification === 'v2' && parts.length === 0) return versionTwo();
  if (specification !== 'v3') throw noSuchPath();
  if (parts.length === 0) return jsonResponse(JSON.stringify({ paths: documentPaths() }));
  const apiVersion = parts.slice(1).join('/');
  const served = RESOURCES.filter((resource) => resource.apiVersion === apiVersion);
  const isRooted = parts[0] === (apiVersion.includes('/') ? 'apis' : 'api');
  if (served.length === 0 || !isRooted) throw noSuchPath();
  let text = DOCUMENTS.get(apiVersion);
  if (text === undefined) DOCUMENTS.set(apiVersion, (text = JSON.stringify(document(served))));
  return jsonResponse(text);
}

/**
 * Kinds are described in v3 only. kubectl reads v2, only in protobuf, to check Lists and objects of
 * kinds that v3 does not know. v2 lacks them too, so that the server validates the items, and
 * unknown kinds stay unknown.
 */
function versionTwo() {
  return new PlainResponse(V2, { status: 200, headers: { 'content-type': V2_TYPE } });
}

function documentPaths() {
  const versions = new Set(RESOURCES.map(({ apiVersion }) => apiVersion));
  return Object.fromEntries(
    [...versions].map((version) => {
      const path = `${version.includes('/') ? 'apis' : 'api'}/${version}`;
      return [path, { serverRelativeURL: `/openapi/v3/${path}` }];
    }),
  );
}

/** @param {Resource[]} resources of one group version */
function document(resources) {
  const schemas = new Schemas();
  const paths = Object.fromEntries(resources.map((resource) => pathOf(resource, schemas)));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths,
    components: { schemas: schemas.byName },
  };
}

/**
 * @param {Resource} resource
 * @param {Schemas} schemas
 */
function pathOf(resource, schemas) {
  const { group, version, apiVersion, kind, plural, namespaced } = resource;
  const root = group === '' ? '/api' : '/apis';
  const scope = namespaced ? '/namespaces/{namespace}' : '';
  const schema = schemas.kind(resource);
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } };
  const extensions = { 'x-kubernetes-group-version-kind': { group, version, kind } };
  const content = Object.fromEntries(PATCH_TYPES.map((type) => [type, { schema: {} }]));
  return [
    `${root}/${apiVersion}${scope}/${plural}/{name}`,
    {
      get: { 'x-kubernetes-action': 'get', responses, ...extensions },
      put: { 'x-kubernetes-action': 'put', parameters: WRITING, responses, ...extensions },
      patch: {
        'x-kubernetes-action': 'patch',
        parameters: WRITING,
        requestBody: { content },
        responses,
        ...extensions,
      },
    },
  ];
}

const WRITING = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}));

/** The schemas of a document: the requested ones, and all that they refer to. */
class Schemas {
  /** @type {Record<string, any>} */
  byName = { [QUANTITY]: { oneOf: [{ type: 'string' }, { type: 'number' }] } };

  /** @param {Resource} resource */
  kind({ group, version, apiVersion, kind }) {
    const struct = structOf(apiVersion, kind);
    if (!struct) return { type: 'object' };
    const reference = this.#struct(struct);
    const kinds = [{ group, version, kind }];
    this.byName[nameOf(struct)]['x-kubernetes-group-version-kind'] = kinds;
    return reference;
  }

  /** @param {Struct} struct */
  #struct(struct) {
    const name = nameOf(struct);
    const reference = { $ref: `#/components/schemas/${name}` };
    if (Object.hasOwn(this.byName, name)) return reference;
    const schema = { type: 'object', properties: {} };
    this.byName[name] = schema;
    const fields = [...struct.fields.values()];
    schema.properties = Object.fromEntries(fields.map((field) => [field.name, this.#field(field)]));
    return reference;
  }

  /** @param {Field} field */
  #field({ shape, patchStrategies, patchMergeKey }) {
    const schema = this.#shape(shape);
    const extensions = {
      ...(patchStrategies.length > 0 && {
        'x-kubernetes-patch-strategy': patchStrategies.join(','),
      }),
      ...(patchMergeKey !== '' && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
      ...listType(shape),
    };
    if (!('$ref' in schema)) return { ...schema, ...extensions };
    return { allOf: [schema], ...extensions };
  }

  /**
   * @param {Shape} shape
   * @returns {object}
   */
  #shape(shape) {
    switch (shape.kind) {
      case 'any':
        return { type: 'object' };
      case 'scalar':
        return BASICS[shape.basic];
      case 'struct':
        return this.#struct(shape.struct);
      case 'list':
        return { type: 'array', items: this.#shape(shape.element) };
      case 'map':
        return { type: 'object', additionalProperties: this.#shape(shape.element) };
    }
  }
}

/** @param {Shape} shape */
function listType(shape) {
  if (shape.kind !== 'list') return {};
  if (shape.keys.length > 0) {
    return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': shape.keys };
  }
  return { 'x-kubernetes-list-type': shape.isSet ? 'set' : 'atomic' };
}

/** `core/v1.Pod` is `io.k8s.api.core.v1.Pod`. @param {Struct} struct */
function nameOf({ name }) {
  const dotted = name.replace('/', '.');
  return (name.startsWith('meta/') ? META_PACKAGE : API_PACKAGE) + dotted;
}
