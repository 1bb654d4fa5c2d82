import { useSignal } from '@preact/signals';

import { usesOf, usesText } from '../cluster/amounts.js';
import { EFFECTS, addTaint, cordon, deleteNode, drain, removeTaint, taintOf } from './changes.js';

/** @import { PodRow } from '../../model/cluster_model.js' */
/** @import { Session } from '../session.js' */

/** How many pods are shown. */
const MOST = 200;

/** The node that is selected. @param {{ session: Session }} props */
export function NodeSelection({ session }) {
  const { nodes, podsOfNode } = session.cluster.value;
  const node = nodes.get(session.selectedNode.value ?? '');
  if (!node) return null;
  const { name, zone, isUnschedulable, taints } = node;
  const pods = [...(podsOfNode.get(name)?.values() ?? [])];
  return (
    <div class="selection" role="group" aria-label={`Node ${name}`}>
      <p tabIndex={0}>
        <b>{name}</b> {zone && <span>{zone}</span>} {isUnschedulable && <em>cordoned</em>}{' '}
        <span>{usesText(usesOf(session.cluster.value, node))}</span>
      </p>
      {taints.length > 0 && (
        <ul class="taints" aria-label="Taints">
          {taints.map((taint) => (
            <li key={taint}>
              {taint}{' '}
              <button
                type="button"
                aria-label={`Remove taint ${taint}`}
                onClick={() => removeTaint(session, name, taintOf(taint))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" onClick={() => cordon(session, name, !isUnschedulable)}>
        {isUnschedulable ? 'Uncordon' : 'Cordon'}
      </button>
      <button
        type="button"
        title="As kubectl drain --ignore-daemonsets --force --delete-emptydir-data does it, once"
        onClick={() => drain(session, name)}
      >
        Drain
      </button>
      <button type="button" onClick={() => deleteNode(session, name)}>
        Delete node
      </button>
      <PodList session={session} pods={pods} />
      <TaintForm key={name} session={session} node={name} />
    </div>
  );
}

/** @param {{ session: Session, pods: PodRow[] }} props */
function PodList({ session, pods }) {
  const shown = pods.slice(0, MOST);
  return (
    <details>
      <summary>Pods: {pods.length}</summary>
      <ul>
        {shown.map(({ key }) => (
          <li key={key}>
            <button type="button" onClick={() => session.selectPod(key)}>
              {key}
            </button>
          </li>
        ))}
      </ul>
      {pods.length > shown.length && <p>and {pods.length - shown.length} more</p>}
    </details>
  );
}

/** @param {{ session: Session, node: string }} props */
function TaintForm({ session, node }) {
  const isOpen = useSignal(false);
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = async (event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [key, value, effect] = ['key', 'value', 'effect'].map((field) =>
      String(data.get(field)).trim(),
    );
    await addTaint(session, node, { key, value, effect });
    // What was refused can be put right.
    isOpen.value = session.fault.value !== null;
  };
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>Taint…</summary>
      <form class="taint" onSubmit={submit}>
        <label>
          Key <input name="key" size={14} required spellcheck={false} autocomplete="off" />
        </label>
        <label>
          Value <input name="value" size={8} spellcheck={false} autocomplete="off" />
        </label>
        <label>
          Effect{' '}
          <select name="effect">
            {EFFECTS.map((effect) => (
              <option key={effect}>{effect}</option>
            ))}
          </select>
        </label>
        <button type="submit">Add taint</button>
      </form>
    </details>
  );
}
