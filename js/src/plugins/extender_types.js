/**
 * An extender's functions, and what they take and return: kube-scheduler's extender/v1, as types
 * only.
 */

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * A scheduler extender in this process: the same JSON as over HTTP (kube-scheduler's extender/v1),
 * parsed. Each function may return a promise. An exception counts as an error of the extender.
 * @typedef {object} InProcessExtender
 * @property {(args: ExtenderArgs) => ExtenderFilterResult | Promise<ExtenderFilterResult>} [filter]
 * @property {(args: ExtenderArgs) => HostPriority[] | Promise<HostPriority[]>} [prioritize]
 * @property {(args: ExtenderPreemptionArgs) => ExtenderPreemptionResult |
 *   Promise<ExtenderPreemptionResult>} [preempt]
 * @property {(args: ExtenderBindingArgs) => ExtenderBindingResult | void |
 *   Promise<ExtenderBindingResult | void>} [bind]
 */

/**
 * The pod and the nodes of an extender's question: `NodeNames` if it is `nodeCacheCapable`, else
 * `Nodes`.
 * @typedef {{ Pod: KubernetesObject, Nodes: { items: KubernetesObject[] } | null, NodeNames:
 *   string[] | null }} ExtenderArgs
 */

/**
 * The nodes that fit, in the form of the question, and why others do not.
 * @typedef {{ Nodes?: { items: KubernetesObject[] } | null, NodeNames?: string[] | null,
 *   FailedNodes?: Record<string, string> | null, FailedAndUnresolvableNodes?: Record<string,
 *   string> | null, Error?: string }} ExtenderFilterResult
 */

/** The score of a node, from 0 to 10. @typedef {{ Host: string, Score: number }} HostPriority */

/**
 * The candidates of a preemption by node: `NodeNameToMetaVictims` if the extender is
 * `nodeCacheCapable`, else `NodeNameToVictims`.
 * @typedef {{ Pod: KubernetesObject, NodeNameToVictims?: Record<string, { Pods: KubernetesObject[],
 *   NumPDBViolations: number }> | null, NodeNameToMetaVictims?: Record<string, MetaVictims> | null
 *   }}
 *   ExtenderPreemptionArgs
 */

/**
 * The candidates that are left.
 * @typedef {{ NodeNameToMetaVictims?: Record<string, MetaVictims> | null }}
 *   ExtenderPreemptionResult
 */

/**
 * Victims by their uids.
 * @typedef {{ Pods: { UID: string }[], NumPDBViolations: number }} MetaVictims
 */

/**
 * The pod to bind, and its node.
 * @typedef {{ PodName: string, PodNamespace: string, PodUID: string, Node: string }}
 *   ExtenderBindingArgs
 */

/** @typedef {{ Error?: string }} ExtenderBindingResult */

export {};
