import { usesOf, usesText } from '../cluster/amounts.js';
import { devicesOf, holdersText } from '../cluster/devices.js';
import { EFFECTS, addTaint, cordon, deleteNode, drain, removeTaint, taintOf } from './changes.js';

/** @import { PodRow } from '../../model/cluster_model.js' */
/** @import { Session } from '../session.js' */

/** The most pods that are listed. */
const MOST = 200;

/** The selected node. @param {{ session: Session }} props */
export function NodeSelection({ session }) {
  const { nodes, podsOfNode } = session.cluster.value;
  const node = nodes.get(session.selectedNode.value ?? '');
  if (!node) return null;
  const { name, zone, isUnschedulable, taints } = node;
  const pods = [...(podsOfNode.get(name)?.values() ?? [])];
  const uses = usesText(usesOf(session.cluster.value, node));
  return (
    <div class="selection" role="group" aria-label={`Node ${name}`}>
      <p title={uses}>
        <b>{name}</b> {zone && <span>{zone}</span>} {isUnschedulable && <em>cordoned</em>}{' '}
        <span>{uses}</span>
      </p>
      <button type="button" onClick={() => cordon(session, name, !isUnschedulable)}>
        {isUnschedulable ? 'Uncordon' : 'Cordon'}
      </button>
      <button
        type="button"
        title="As kubectl drain --ignore-daemonsets --force --delete-emptydir-data, once"
        onClick={() => drain(session, name)}
      >
        Drain
      </button>
      <button type="button" onClick={() => deleteNode(session, name)}>
        Delete node
      </button>
      <PodList session={session} pods={pods} />
      <DeviceList session={session} node={name} />
      <Taints key={name} session={session} node={name} taints={taints} />
    </div>
  );
}

/** @param {{ session: Session, pods: PodRow[] }} props */
function PodList({ session, pods }) {
  const shown = pods.slice(0, MOST);
  return (
    <details class="opens" name="of-node">
      <summary>Pods: {pods.length}</summary>
      <div>
        <ul>
          {shown.map(({ key }) => (
            <li key={key}>
              <button type="button" onClick={() => session.selectPod(key)}>
                {key}
              </button>
            </li>
          ))}
        </ul>
        {pods.length === 0 && <p>The node has no pods.</p>}
        {pods.length > shown.length && <p>and {pods.length - shown.length} more</p>}
      </div>
    </details>
  );
}

/**
 * The node's devices, and the pods and claims that they are allocated to.
 * @param {{ session: Session, node: string }} props
 */
function DeviceList({ session, node }) {
  const devices = devicesOf(session.cluster.value.devices, node);
  if (devices.length === 0) return null;
  const shown = devices.slice(0, MOST);
  return (
    <details class="opens" name="of-node">
      <summary>Devices: {devices.length}</summary>
      <div>
        <ul class="devices" aria-label="Devices">
          {shown.map((device) => (
            <li key={device.id}>
              <b>{device.id}</b> {holdersText(device)}
              {device.taints.length > 0 && <em> taints {device.taints.join(', ')}</em>}
              {device.facts && <small> {device.facts}</small>}
            </li>
          ))}
        </ul>
        {devices.length > shown.length && <p>and {devices.length - shown.length} more</p>}
      </div>
    </details>
  );
}

/** @param {{ session: Session, node: string, taints: string[] }} props */
function Taints({ session, node, taints }) {
  return (
    <details class="opens" name="of-node">
      <summary>Taints: {taints.length}</summary>
      <div>
        {taints.length > 0 && (
          <ul class="taints" aria-label="Taints">
            {taints.map((taint) => (
              <li key={taint}>
                {taint}{' '}
                <button
                  type="button"
                  aria-label={`Remove taint ${taint}`}
                  onClick={() => removeTaint(session, node, taintOf(taint))}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        <TaintForm session={session} node={node} />
      </div>
    </details>
  );
}

/** @param {{ session: Session, node: string }} props */
function TaintForm({ session, node }) {
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const [key, value, effect] = ['key', 'value', 'effect'].map((field) =>
      String(data.get(field)).trim(),
    );
    await addTaint(session, node, { key, value, effect });
    // If the change was refused, the field keeps its text, to be corrected.
    if (session.fault.value === null) form.reset();
  };
  return (
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
  );
}
