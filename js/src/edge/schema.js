/**
 * The documents of an edge handler as JSON Schema (2020-12). Answers may get more fields in later
 * versions; unknown fields in questions are errors.
 */

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

const count = { type: 'integer', minimum: 0 };
const strings = { type: 'array', items: { type: 'string' } };
const apiVersion = { const: 'stowage/v1' };
const kubernetesVersion = {
  type: 'string',
  pattern: '^v\\d+\\.\\d+',
  description: 'The release of kube-scheduler that decided.',
};
const nullableNode = { type: ['string', 'null'], description: 'Null if the pod would get none.' };
const podKeys = {
  type: 'array',
  items: { type: 'string', pattern: '^[^/]+/[^/]+$' },
  description: '`namespace/name`, the most important first.',
};
const nominatedNode = {
  type: ['string', 'null'],
  description: "With WithPreemption: the victims' node.",
};
const message = {
  type: 'string',
  description: "kube-scheduler's reason why the pod would get no node; empty if it would get one.",
};
const scoresByPlugin = { type: 'object', additionalProperties: { type: 'number' } };
const clusterName = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$' };
const pod = {
  type: 'object',
  description: 'A v1 Pod. It may lack name, namespace, uid and all that an API server defaults.',
};

/** @typedef {(name: string) => { $ref: string }} Reference */

/** @param {Reference} ref */
function questions(ref) {
  return {
    PreScoreQuestion: {
      description: 'Asks for the nodes of a cluster that a pod fits.',
      type: 'object',
      required: ['pod', 'cluster'],
      additionalProperties: false,
      properties: {
        pod,
        cluster: ref('ClusterName'),
        limit: { ...count, default: 10, description: 'The maximum number of nodes in the answer.' },
        detail: {
          enum: ['total', 'scores', 'rawScores'],
          default: 'scores',
          description: "Each node's total, also its weighted scores by plugin, also the raw ones.",
        },
      },
    },
    ClusterRankingQuestion: {
      description: 'Asks which of several clusters is the best for a pod.',
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
        'Now; after evictions; not in the present state; or on no node, even an empty one.',
      enum: ['Now', 'WithPreemption', 'NotNow', 'Never'],
    },
    SnapshotReference: {
      description: 'The snapshot of an answer.',
      type: 'object',
      required: ['name', 'etag', 'ageSeconds', 'nodes'],
      properties: {
        name: ref('ClusterName'),
        etag: { type: 'string', pattern: '^(W/)?"[^"]*"$' },
        ageSeconds: {
          ...count,
          description: 'Since it was made or, if the store does not give its time, first seen.',
        },
        nodes: count,
        refused: {
          ...count,
          description: 'The number of objects that could not be read; absent if all could.',
        },
        refreshFailure: {
          type: 'string',
          description: 'The reason why this is not the newest snapshot.',
        },
      },
    },
    RankedNode: {
      description: 'A node that the pod fits. The only fitting node has no scores.',
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
      description: 'The reasons, with the number of nodes that each refused.',
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
        kubernetesVersion,
        snapshot: ref('SnapshotReference'),
        fits: ref('Fits'),
        node: nullableNode,
        nodes: { type: 'array', items: ref('RankedNode') },
        nodesOmitted: { ...count, description: 'The number of nodes beyond the limit.' },
        numAllNodes: {
          ...count,
          description: 'Absent if the pod is gated: its filters did not run.',
        },
        evaluatedNodes: count,
        feasibleNodes: count,
        reasons: { type: 'array', items: ref('ReasonCount') },
        reasonsOmitted: count,
        nominatedNode,
        victims: podKeys,
        message,
      },
    },
    ...clusterRankings(ref),
  };
}

/** @param {Reference} ref */
function clusterRankings(ref) {
  return {
    RankedCluster: {
      type: 'object',
      required: ['name', 'fits', 'node', 'message', 'snapshot'],
      properties: {
        name: ref('ClusterName'),
        fits: ref('Fits'),
        node: nullableNode,
        total: { type: 'number', description: "The node's total; absent if no node was scored." },
        feasibleNodes: count,
        nominatedNode,
        victims: podKeys,
        message,
        snapshot: ref('SnapshotReference'),
      },
    },
    ClusterRanking: {
      description: 'Clusters for a pod: by how it fits; if it fits now, by total; then by name.',
      type: 'object',
      required: ['apiVersion', 'kind', 'clusters', 'unranked'],
      properties: {
        apiVersion,
        kind: { const: 'ClusterRanking' },
        kubernetesVersion,
        clusters: { type: 'array', items: ref('RankedCluster') },
        unranked: {
          description: 'Clusters that could not be asked, with the reason of a Status.',
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
      description: 'The loaded snapshot of a cluster.',
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
          description: '`pods` have a node, `pending` none; `objects` counts all that were read.',
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
        unknownKinds: { ...strings, description: 'Kinds that no scheduler reads.' },
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
 * Returns the schemas by name.
 * @param {string} place their position in the document, as a JSON pointer
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

/** Returns one schema for all questions and answers. */
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
