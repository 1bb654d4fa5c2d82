/** Sets conditions of pods. */

/** @typedef {{ type: string, status: string, reason?: string, message?: string }} Condition */

/**
 * Returns the status with a condition; its time is that of the last change of its status.
 * @param {any} status of a pod
 * @param {Condition} condition
 * @param {string} now
 */
export function withCondition(status, condition, now) {
  const conditions = status?.conditions ?? [];
  const at = conditions.findIndex((/** @type {Condition} */ { type }) => type === condition.type);
  const isSame = at >= 0 && conditions[at].status === condition.status;
  const { type, ...others } = condition;
  const next = {
    type,
    ...others,
    lastProbeTime: null,
    lastTransitionTime: isSame ? conditions[at].lastTransitionTime : now,
  };
  const replaced = at < 0 ? [...conditions, next] : conditions.with(at, next);
  return { ...status, conditions: replaced };
}
