/** Merges two lists of tolerations. Counterpart: pkg/util/tolerations/tolerations.go, v1.36. */

/**
 * @typedef {{ key?: string, operator?: string, value?: string, effect?: string,
 *   tolerationSeconds?: number }} Toleration
 */

/**
 * Returns those of both lists, without those that another one covers. Of two equal ones the first
 * stays.
 * @param {Toleration[]} first
 * @param {Toleration[]} second
 * @returns {Toleration[]}
 */
export function mergedTolerations(first, second) {
  const all = [...first, ...second];
  /** @type {Toleration[]} */
  const merged = [];
  all.forEach((toleration, index) => {
    const isCovered =
      merged.some((other) => isSuperset(other, toleration)) ||
      all
        .slice(index + 1)
        .some((other) => !isEqual(other, toleration) && isSuperset(other, toleration));
    if (!isCovered) merged.push(toleration);
  });
  return merged;
}

/**
 * Whether the first toleration tolerates everything that the second does.
 * @param {Toleration} superset
 * @param {Toleration} toleration
 */
function isSuperset(superset, toleration) {
  if (isEqual(superset, toleration)) return true;
  const { key = '', operator = '', value = '', effect = '' } = superset;
  const isOfEachKey = key === '' && operator === 'Exists';
  if ((toleration.key ?? '') !== key && !isOfEachKey) return false;
  if ((toleration.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && isShorter(superset, toleration)) return false;
  if (operator === 'Exists') return true;
  const comparesValues = operator === 'Equal' || operator === '';
  return comparesValues && toleration.operator === 'Equal' && (toleration.value ?? '') === value;
}

/**
 * @param {Toleration} superset
 * @param {Toleration} toleration
 */
function isShorter({ tolerationSeconds: most }, { tolerationSeconds: wanted }) {
  if (most === undefined || most === null) return false;
  return wanted === undefined || wanted === null || wanted > most;
}

/**
 * @param {Toleration} one
 * @param {Toleration} other
 */
function isEqual(one, other) {
  return (
    (one.key ?? '') === (other.key ?? '') &&
    (one.operator ?? '') === (other.operator ?? '') &&
    (one.value ?? '') === (other.value ?? '') &&
    (one.effect ?? '') === (other.effect ?? '') &&
    (one.tolerationSeconds ?? null) === (other.tolerationSeconds ?? null)
  );
}
