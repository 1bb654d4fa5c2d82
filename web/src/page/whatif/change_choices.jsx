import { useComputed, useSignal, useSignalEffect } from '@preact/signals';

import { topWorkloads } from '../changes/changes.js';
import { MOST_NEW } from '../changes/new_objects.js';

/** @import { Signal } from '@preact/signals' */
/** @import { Session } from '../session.js' */
/** @import { Desk } from './desk.js' */

/** @typedef {{ session: Session, desk: Desk }} Props */

/** The most names that a field suggests. */
const MOST_SUGGESTED = 50;

/** The most workloads that are listed. */
const MOST_WORKLOADS = 500;

/** Changes to choose from. @param {Props} props */
export function ChangeChoices({ session, desk }) {
  return (
    <div class="choices">
      <NodeChoice session={session} desk={desk} />
      <ZoneChoice session={session} desk={desk} />
      <ScaleChoice session={session} desk={desk} />
    </div>
  );
}

/** A node, as it is selected in the map, or written here. @param {Props} props */
function NodeChoice({ session, desk }) {
  const { cluster, selectedNode } = session;
  const name = useSignal(selectedNode.value ?? firstOf(cluster.value.nodes) ?? '');
  const count = useSignal('1');
  useSignalEffect(() => {
    if (selectedNode.value !== null) name.value = selectedNode.value;
  });
  const isThere = cluster.value.nodes.has(name.value);
  const number = Number(count.value);
  const isCount = Number.isInteger(number) && number >= 1 && number <= MOST_NEW;
  return (
    <fieldset>
      <legend>Node</legend>
      <p class="fields-in-line">
        <NodeField session={session} name={name} isThere={isThere} />
        <button
          type="button"
          disabled={!isThere}
          title="Cordon it and evict its pods"
          onClick={() => desk.add({ type: 'drain', node: name.value })}
        >
          Drain
        </button>
        <button
          type="button"
          disabled={!isThere}
          title="The node is lost with its pods"
          onClick={() => desk.add({ type: 'removeNode', node: name.value })}
        >
          Fail
        </button>
      </p>
      <p class="fields-in-line">
        <input
          type="number"
          class="count"
          min={1}
          max={MOST_NEW}
          value={count}
          aria-label="How many nodes"
          aria-invalid={!isCount}
          onInput={({ currentTarget }) => {
            count.value = currentTarget.value;
          }}
        />
        <button
          type="button"
          disabled={!isThere || !isCount}
          onClick={() => desk.add({ type: 'addNodes', like: name.value, count: number })}
        >
          Add nodes like it
        </button>
      </p>
    </fieldset>
  );
}

/** @param {{ session: Session, name: Signal<string>, isThere: boolean }} props */
function NodeField({ session, name, isThere }) {
  const suggested = useComputed(() => suggestedNames(session.cluster.value.nodes, name.value));
  return (
    <>
      <input
        class="name"
        list="what-if-nodes"
        value={name}
        aria-label="Node"
        aria-invalid={!isThere}
        aria-describedby={isThere ? undefined : 'what-if-no-node'}
        title="Select a node in the map, or write its name"
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value.trim();
          if (session.cluster.value.nodes.has(name.value)) session.selectNode(name.value);
        }}
      />
      <datalist id="what-if-nodes">
        {suggested.value.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {!isThere && (
        <small id="what-if-no-node" class="field-fault">
          There is no such node.
        </small>
      )}
    </>
  );
}

/** @param {Props} props */
function ZoneChoice({ session, desk }) {
  const zones = useComputed(() => zonesOf(session.cluster.value.nodes));
  const chosen = useSignal('');
  if (zones.value.length === 0) return null;
  const zone = zones.value.includes(chosen.value) ? chosen.value : zones.value[0];
  return (
    <fieldset>
      <legend>Zone</legend>
      <p class="fields-in-line">
        <select
          aria-label="Zone"
          value={zone}
          onChange={({ currentTarget }) => {
            chosen.value = currentTarget.value;
          }}
        >
          {zones.value.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <button
          type="button"
          title="All nodes of the zone are lost at once"
          onClick={() => desk.add({ type: 'removeZone', zone })}
        >
          Fail zone
        </button>
      </p>
    </fieldset>
  );
}

/** @param {Props} props */
function ScaleChoice({ session, desk }) {
  const all = topWorkloads(session.cluster.value.workloads);
  const workloads = all.filter(({ isScalable }) => isScalable).slice(0, MOST_WORKLOADS);
  const chosen = useSignal('');
  const replicas = useSignal('');
  const workload = workloads.find(({ key }) => key === chosen.value) ?? workloads[0];
  if (!workload) return null;
  const written = replicas.value === '' ? String(workload.wanted) : replicas.value;
  const number = Number(written);
  const isCount = Number.isInteger(number) && number >= 0 && number <= MOST_NEW;
  const { kind, namespace, name } = workload;
  return (
    <fieldset>
      <legend>Scale</legend>
      <p class="fields-in-line">
        <select
          class="whole"
          aria-label="Workload"
          value={workload.key}
          onChange={({ currentTarget }) => {
            chosen.value = currentTarget.value;
            replicas.value = '';
          }}
        >
          {workloads.map((one) => (
            <option key={one.key} value={one.key}>
              {one.namespace}/{one.name} · {one.kind}
            </option>
          ))}
        </select>
        <input
          type="number"
          class="count"
          min={0}
          max={MOST_NEW}
          value={written}
          aria-label="Replicas"
          aria-invalid={!isCount}
          onInput={({ currentTarget }) => {
            replicas.value = currentTarget.value;
          }}
        />
        <button
          type="button"
          disabled={!isCount || number === workload.wanted}
          onClick={() => desk.add({ type: 'scale', kind, namespace, name, replicas: number })}
        >
          Scale
        </button>
      </p>
    </fieldset>
  );
}

/** @param {Map<string, unknown>} map */
function firstOf(map) {
  const [first] = map.keys();
  return first;
}

/**
 * @param {Map<string, unknown>} nodes
 * @param {string} written
 */
function suggestedNames(nodes, written) {
  /** @type {string[]} */
  const names = [];
  for (const name of nodes.keys()) {
    if (names.length === MOST_SUGGESTED) break;
    if (nodes.has(written) || name.includes(written)) names.push(name);
  }
  return names;
}

/** @param {Map<string, { zone: string }>} nodes @returns {string[]} */
function zonesOf(nodes) {
  const zones = new Set([...nodes.values()].map(({ zone }) => zone));
  zones.delete('');
  return [...zones];
}
