import { useSignal } from '@preact/signals';
import { ClusterCanvas } from './cluster_canvas.jsx';

/** @import { Session } from './session.js' */

/** The cluster, and the pods that are on no node. @param {{ session: Session }} props */
export function ClusterView({ session }) {
  const search = useSignal('');
  return (
    <div class="cluster">
      <label class="search">
        Search nodes and pods{' '}
        <input
          type="search"
          value={search}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value;
          }}
        />
      </label>
      <ClusterCanvas session={session} search={search} />
      <Pending session={session} />
    </div>
  );
}

/** Pods without a node. @param {{ session: Session }} props */
function Pending({ session }) {
  const pending = [...(session.cluster.value.podsOfNode.get('')?.values() ?? [])];
  const shown = pending.slice(0, 200);
  const selected = session.selectedPod.value?.pod;
  return (
    <div class="pending">
      <h3>Pending: {pending.length}</h3>
      <ul>
        {shown.map(({ key, reason, nominatedNode }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={selected === key}
              onClick={() => session.selectPod(key)}
            >
              {key}
              {reason && <small> {reason}</small>}
              {nominatedNode && <small> nominated to {nominatedNode}</small>}
            </button>
          </li>
        ))}
      </ul>
      {pending.length > shown.length && <p>and {pending.length - shown.length} more</p>}
    </div>
  );
}
