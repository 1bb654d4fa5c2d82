import { useSignal } from '@preact/signals';

/** @import { Session } from '../session.js' */

/** How many names are offered. */
const MOST = 50;

/** Selects a node by its name: also without a pointer. @param {{ session: Session }} props */
export function NodePicker({ session }) {
  const text = useSignal('');
  const { nodes } = session.cluster.value;
  const offered = [];
  for (const name of nodes.keys()) {
    if (offered.length === MOST) break;
    if (name.includes(text.value)) offered.push(name);
  }
  return (
    <label>
      Select node{' '}
      <input
        list="node-names"
        size={14}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value.trim();
          if (nodes.has(text.value)) session.selectNode(text.value);
        }}
      />
      <datalist id="node-names">
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
