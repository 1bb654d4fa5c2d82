/**
 * The documents of an edge handler as JSON Schema (2020-12). Answers may get more fields; questions
 * may not have any others.
 */

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

const count = { type: 'integer', minimum: 0 };
const strings = { type: 'array', items: { type: 'string' } };
const apiVersion = { const: 'stowage/v1' };
const nullableNode = { type: ['string', 'null'], description: 'Null: the pod would get none.' };
const podKeys = {
  type: 'array',
  items: { type: 'string', pattern: '^[^/]+/[^/]+$' },
  description: '`namespace/name`, the most important first.',
};
const notImplemented = {
  ...strings,
  description: 'Plugins that would have mattered, and are not built yet.',
};
const nominatedNode = {
  type: ['string', 'null'],
  description: 'With WithPreemption: where the victims are.',
};
const message = {
  type: 'string',
  description: "Why the pod would get no node, in kube-scheduler's words; empty: it would.",
};
const scoresByPlugin = { type: 'object', additionalProperties: { type: 'number' } };
const clusterName = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$' };
const pod = {
  type: 'object',
  description:
    'A v1 Pod. It may lack name, namespace and uid; what an API server defaults is completed.',
};

/** @typedef {(name: string) => { $ref: string }} Reference */

/** @param {Reference} ref */
function questions(ref) {
  return {
    PreScoreQuestion: {
      description: 'Which nodes of a cluster a pod fits.',
      type: 'object',
      required: ['pod', 'cluster'],
      additionalProperties: false,
      properties: {
        pod,
        cluster: ref('ClusterName'),
        limit: { ...count, default: 10, description: 'How many nodes are named.' },
        detail: {
          enum: ['total', 'scores', 'rawScores'],
          default: 'scores',
          description:
            'Of each node its total, also the weighted scores by plugin, also the raw ones.',
        },
      },
    },
    ClusterRankingQuestion: {
      description: 'Which of several clusters is the best for a pod.',
      type: 'object',
      required: ['pod', 'clusters'],
      additionalProperties: false,
      properties: {
        pod,
        clusters: { type: 'array', items: ref('ClusterName'), minItems: 1, uniqueItems: true },
      },
    },
    ClusterName: clusterName,
  };
}

/** @param {Reference} ref */
function parts(ref) {
  return {
    Fits: {
      description:
        'Now; after others were evicted; not as the cluster is; or on no node, even an empty one.',
      enum: ['Now', 'WithPreemption', 'NotNow', 'Never'],
    },
    SnapshotReference: {
      description: 'Which snapshot an answer is of.',
      type: 'object',
      required: ['name', 'etag', 'ageSeconds', 'nodes'],
      properties: {
        name: ref('ClusterName'),
        etag: { type: 'string', pattern: '^(W/)?"[^"]*"$' },
        ageSeconds: {
          ...count,
          description: 'Since it was made or, where nobody says when, first seen.',
        },
        nodes: count,
        refused: { ...count, description: 'Objects that could not be read; absent: none.' },
        refreshFailure: { type: 'string', description: 'Why this is not the newest one.' },
      },
    },
    RankedNode: {
      description: 'A node that the pod fits. Where there is only one, nothing is scored.',
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        total: { type: 'number' },
        scores: scoresByPlugin,
        rawScores: scoresByPlugin,
      },
    },
    ReasonCount: {
      description: 'Why so many nodes were refused.',
      type: 'object',
      required: ['plugin', 'code', 'reason', 'nodes'],
      properties: {
        plugin: { type: 'string' },
        code: { type: 'string' },
        reason: { type: 'string' },
        nodes: count,
      },
    },
  };
}

/** @param {Reference} ref */
function rankings(ref) {
  return {
    PreScore: {
      description: 'Nodes for a pod, the best first.',
      type: 'object',
      required: ['apiVersion', 'kind', 'snapshot', 'fits', 'node', 'nodes', 'reasons', 'message'],
      properties: {
        apiVersion,
        kind: { const: 'PreScore' },
        snapshot: ref('SnapshotReference'),
        fits: ref('Fits'),
        node: nullableNode,
        nodes: { type: 'array', items: ref('RankedNode') },
        nodesOmitted: { ...count, description: 'Beyond the limit.' },
        numAllNodes: { ...count, description: 'Absent: the pod is gated; no node was asked.' },
        evaluatedNodes: count,
        feasibleNodes: count,
        reasons: { type: 'array', items: ref('ReasonCount') },
        reasonsOmitted: count,
        nominatedNode,
        victims: podKeys,
        message,
        notImplemented,
      },
    },
    RankedCluster: {
      type: 'object',
      required: ['name', 'fits', 'node', 'message', 'snapshot'],
      properties: {
        name: ref('ClusterName'),
        fits: ref('Fits'),
        node: nullableNode,
        total: { type: 'number', description: 'Of the node; absent: nothing was scored.' },
        feasibleNodes: count,
        nominatedNode,
        victims: podKeys,
        message,
        notImplemented,
        snapshot: ref('SnapshotReference'),
      },
    },
    ClusterRanking: {
      description: 'Clusters for a pod: by how it fits, where it does now by total, then by name.',
      type: 'object',
      required: ['apiVersion', 'kind', 'clusters', 'unranked'],
      properties: {
        apiVersion,
        kind: { const: 'ClusterRanking' },
        clusters: { type: 'array', items: ref('RankedCluster') },
        unranked: {
          description: 'Clusters that could not be asked, as a Status would say it.',
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'code', 'reason', 'message'],
            properties: {
              name: ref('ClusterName'),
              code: { type: 'integer' },
              reason: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
  };
}

/** @param {Reference} ref */
function snapshots(ref) {
  return {
    Snapshot: {
      description: 'What is held of a cluster.',
      type: 'object',
      allOf: [ref('SnapshotReference')],
      required: [
        ...['apiVersion', 'kind', 'time', 'bytes'],
        ...['counts', 'refusedObjects', 'unknownKinds'],
      ],
      properties: {
        apiVersion,
        kind: { const: 'Snapshot' },
        time: { type: 'string', format: 'date-time' },
        bytes: count,
        counts: {
          description: '`pods` have a node, `pending` none; `objects` are all that were read.',
          type: 'object',
          required: ['nodes', 'pods', 'pending', 'objects'],
          properties: { nodes: count, pods: count, pending: count, objects: count },
        },
        refusedObjects: {
          description: 'The first 20 objects that could not be read.',
          type: 'array',
          items: {
            type: 'object',
            required: ['message'],
            properties: {
              kind: { type: 'string' },
              namespace: { type: 'string' },
              name: { type: 'string' },
              field: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
        unknownKinds: { ...strings, description: 'That no scheduler reads.' },
      },
    },
  };
}

const STATUS = {
  description: 'A refusal: `metav1.Status`.',
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata', 'status', 'message', 'reason', 'code'],
  properties: {
    apiVersion: { const: 'v1' },
    kind: { const: 'Status' },
    metadata: { type: 'object' },
    status: { const: 'Failure' },
    message: { type: 'string' },
    reason: { type: 'string' },
    code: { type: 'integer', minimum: 400, maximum: 599 },
    details: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        kind: { type: 'string' },
        causes: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              reason: { type: 'string' },
              message: { type: 'string' },
              field: { type: 'string' },
            },
          },
        },
      },
    },
  },
};

/**
 * The schemas by name.
 * @param {string} place where they stand in their document, as a JSON pointer
 * @returns {Record<string, object>}
 */
export function edgeSchemas(place) {
  const ref = (/** @type {string} */ name) => ({ $ref: `#${place}/${name}` });
  return {
    ...questions(ref),
    ...parts(ref),
    ...rankings(ref),
    ...snapshots(ref),
    Status: STATUS,
  };
}

/** One schema of whatever is sent and answered. */
export function edgeSchema() {
  const documents = [
    ...['PreScoreQuestion', 'ClusterRankingQuestion'],
    ...['PreScore', 'ClusterRanking', 'Snapshot', 'Status'],
  ];
  return {
    $schema: SCHEMA,
    $id: 'edge-v1.json',
    title: 'Questions and answers of stowage/edge',
    oneOf: documents.map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: edgeSchemas('/$defs'),
  };
}
