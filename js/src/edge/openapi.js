/** The description of an edge handler: OpenAPI 3.1. */
import { edgeSchemas } from './schema.js';

/** The description of each status. */
const REFUSALS = {
  400: 'The path, the query or the body is invalid.',
  401: 'The Bearer token is missing or wrong.',
  404: 'There is no such snapshot.',
  405: 'The path does not support the method; `Allow` lists the supported ones.',
  408: 'The body came too slowly.',
  413: 'The body is too large.',
  415: 'The body is not application/json, or is encoded.',
  422: 'The pod, or the List, cannot be read; the causes name the fields.',
  500: 'A fault of the handler, or of its options.',
  503: 'There is no snapshot of the cluster yet, or it cannot be loaded.',
  504: 'There was no answer in time.',
  507: 'The store has no room for the snapshot.',
};

/** @typedef {keyof REFUSALS} Code */

/** @type {Code[]} */
const OF_QUESTIONS = [400, 401, 408, 413, 415, 422, 500, 503, 504];

const SNAPSHOT_HEADERS = {
  ETag: { description: "The snapshot's entity tag.", schema: { type: 'string' } },
  Age: { description: 'The age of the snapshot in seconds.', schema: { type: 'integer' } },
  'Last-Modified': { description: 'When the snapshot was made.', schema: { type: 'string' } },
};

const OLDEST = {
  Age: { description: 'The age of the oldest snapshot in seconds.', schema: { type: 'integer' } },
};

const ETAG = { ETag: { schema: { type: 'string' } } };

const NAME = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'The name of the cluster.',
  schema: { $ref: '#/components/schemas/ClusterName' },
};

const IF_NONE_MATCH = { name: 'If-None-Match', in: 'header', schema: { type: 'string' } };

const NOT_MODIFIED = { description: 'The client has it already.' };

/** Without `readSecret` questions need no token. */
const READ = [{}, { readSecret: [] }];

/** Returns the OpenAPI document of the handler. */
export function openApi() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'stowage/edge',
      version: 'v1',
      summary: 'Where a pod would go, by snapshots of clusters. Nothing is created.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: {
      '/prescore': { post: preScorePath() },
      '/rank-clusters': { post: rankClustersPath() },
      '/snapshots/{name}': { parameters: [NAME], get: getSnapshotPath(), put: putSnapshotPath() },
      '/openapi.json': { get: openApiPath() },
    },
    components: {
      schemas: edgeSchemas('/components/schemas'),
      securitySchemes: {
        secret: { type: 'http', scheme: 'bearer', description: 'The token for pushing snapshots.' },
        readSecret: { type: 'http', scheme: 'bearer', description: 'The token for questions.' },
      },
    },
  };
}

function preScorePath() {
  return {
    operationId: 'preScore',
    summary: 'Ranks the nodes of a cluster for a pod.',
    security: READ,
    requestBody: { required: true, content: json('PreScoreQuestion') },
    responses: {
      200: answer('The ranking.', 'PreScore', SNAPSHOT_HEADERS),
      ...refusals(OF_QUESTIONS),
    },
  };
}

function rankClustersPath() {
  return {
    operationId: 'rankClusters',
    summary: 'Ranks several clusters for a pod.',
    security: READ,
    requestBody: { required: true, content: json('ClusterRankingQuestion') },
    responses: {
      200: answer('The ranking.', 'ClusterRanking', OLDEST),
      ...refusals(OF_QUESTIONS),
    },
  };
}

function getSnapshotPath() {
  return {
    operationId: 'getSnapshot',
    summary: 'Describes the snapshot of a cluster.',
    security: READ,
    parameters: [IF_NONE_MATCH],
    responses: {
      200: answer('The snapshot, without its objects.', 'Snapshot', SNAPSHOT_HEADERS),
      304: { ...NOT_MODIFIED, headers: SNAPSHOT_HEADERS },
      ...refusals([400, 401, 404, 405, 500, 503, 504]),
    },
  };
}

function putSnapshotPath() {
  const content = {
    'application/json': {
      schema: {
        type: 'object',
        description: 'A List of stored objects, as `kubectl get -o json` prints it.',
        required: ['items'],
        properties: { items: { type: 'array', items: { type: 'object' } } },
      },
    },
  };
  return {
    operationId: 'putSnapshot',
    summary: 'Replaces the snapshot of a cluster.',
    security: [{ secret: [] }],
    requestBody: { required: true, content },
    responses: {
      200: answer('The snapshot was replaced.', 'Snapshot', SNAPSHOT_HEADERS),
      201: answer('The snapshot is the first of this cluster.', 'Snapshot', SNAPSHOT_HEADERS),
      ...refusals([400, 401, 405, 408, 413, 415, 422, 500, 503, 504, 507]),
    },
  };
}

function openApiPath() {
  const schema = { type: 'object', description: 'An OpenAPI document.' };
  return {
    operationId: 'getOpenApi',
    summary: 'This document.',
    security: [{}],
    parameters: [IF_NONE_MATCH],
    responses: {
      200: {
        description: 'The document.',
        headers: ETAG,
        content: { 'application/json': { schema } },
      },
      304: { ...NOT_MODIFIED, headers: ETAG },
      ...refusals([500]),
    },
  };
}

/** @param {string} schema */
function json(schema) {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
}

/**
 * @param {string} description
 * @param {string} schema
 * @param {object} headers
 */
function answer(description, schema, headers) {
  return { description, headers, content: json(schema) };
}

/** @param {Code[]} codes */
function refusals(codes) {
  return Object.fromEntries(
    codes.map((code) => [code, { description: REFUSALS[code], content: json('Status') }]),
  );
}
