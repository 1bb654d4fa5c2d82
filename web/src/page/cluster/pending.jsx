import { useSignal } from '@preact/signals';

import { MoreButton } from '../more_button.jsx';

/** @import { ReadonlySignal } from '@preact/signals' */
/** @import { PodRow } from '../../model/cluster_model.js' */
/** @import { Found } from './cluster_search.js' */
/** @import { Session } from '../session.js' */

/** Up to this number the pods are listed one by one; more are grouped by workload. */
const MOST_SINGLE = 40;
/** The number of pods that each click adds. */
const MORE = 50;

/**
 * Pods without a node.
 * @param {{ session: Session, found: ReadonlySignal<Found | null> }} props
 */
export function Pending({ session, found }) {
  const { podsOfNode } = session.cluster.value;
  const pending = podsOfNode.get('') ?? new Map();
  const wanted = found.value;
  const hits = wanted ? [...pending.values()].filter(({ key }) => wanted.pods.has(key)) : [];
  return (
    <div class="pending">
      <p>Pending: {pending.size.toLocaleString('en')}</p>
      {hits.length > 0 ? (
        <PodList session={session} pods={hits} />
      ) : pending.size <= MOST_SINGLE ? (
        <PodList session={session} pods={[...pending.values()]} />
      ) : (
        <Groups session={session} />
      )}
    </div>
  );
}

/**
 * Groups change in place. A component with a group as a property would not render again; one that
 * reads the cluster does.
 * @param {{ session: Session }} props
 */
function Groups({ session }) {
  const most = useSignal(MORE);
  const { pendingOf: groups } = session.cluster.value;
  const shown = [...groups.keys()].slice(0, most.value);
  return (
    <div class="groups">
      {shown.map((name) => (
        <Group key={name} session={session} name={name} />
      ))}
      <MoreButton
        left={groups.size - most.value}
        atOnce={MORE}
        onMore={() => {
          most.value += MORE;
        }}
      />
    </div>
  );
}

/** @param {{ session: Session, name: string }} props */
function Group({ session, name }) {
  const isOpen = useSignal(false);
  const pods = session.cluster.value.pendingOf.get(name) ?? new Map();
  const [first] = pods.values();
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary title={first?.message}>
        {name} <small>{pods.size.toLocaleString('en')} pods</small>
        {first?.reason && <small> {first.reason}</small>}
      </summary>
      {isOpen.value && <PodList session={session} pods={[...pods.values()]} />}
    </details>
  );
}

/** @param {{ session: Session, pods: PodRow[] }} props */
function PodList({ session, pods }) {
  const most = useSignal(MORE);
  const selected = session.selectedPod.value?.pod;
  return (
    <>
      <ul>
        {pods.slice(0, most.value).map(({ key, reason, message, nominatedNode }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={selected === key}
              title={message}
              onClick={() => session.selectPod(key)}
            >
              {key}
              {reason && <small> {reason}</small>}
              {nominatedNode && <small> nominated to {nominatedNode}</small>}
            </button>
          </li>
        ))}
      </ul>
      <MoreButton
        left={pods.length - most.value}
        atOnce={MORE}
        onMore={() => {
          most.value += MORE;
        }}
      />
    </>
  );
}
