/** @import { Session } from '../session.js' */

/** The most attempts that are offered, counted from the latest. */
const OFFERED = 200;

/** The choice among the attempts at the pod. @param {{ session: Session, pod: string }} props */
export function PodHistory({ session, pod }) {
  const { attempt } = session.selectedPod.value ?? {};
  const isPlaced = Boolean(session.cluster.value.pods.get(pod)?.node);
  const attempts = session.rows.value
    .filter((row) => row.kind === 'Decision' && row.pod === pod)
    .slice(-OFFERED);
  return (
    <label>
      <span class="unseen">Attempt</span>
      <select
        class="attempts"
        value={attempt === undefined ? '' : String(attempt)}
        onChange={({ currentTarget: { value } }) =>
          session.lookAt(pod, value === '' ? undefined : Number(value))
        }
      >
        <option value="">{isPlaced ? 'now, if it were on no node' : 'now'}</option>
        {attempts.map(({ at, result, node, attempt: number }) => (
          <option key={number} value={String(number)}>
            {at.slice(11, 23)} {node ? `${result} on ${node}` : result}
          </option>
        ))}
      </select>
    </label>
  );
}
