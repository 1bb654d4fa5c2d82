/** @import { ReadonlySignal, Signal } from '@preact/signals' */
/** @import { ClusterState } from './cluster_state.js' */
/** @import { HueBy } from './hues.js' */

/**
 * Which colour is which, and what they stand for.
 * @param {{ cluster: ReadonlySignal<ClusterState>, hueBy: Signal<HueBy> }} props
 */
export function Legend({ cluster, hueBy }) {
  const { groups } = cluster.value;
  const by = hueBy.value;
  const entries = groups[by].legend();
  if (by === 'priority') entries.sort((a, b) => rankOf(b.name) - rankOf(a.name));
  return (
    <>
      <label>
        Colour{' '}
        <select
          value={by}
          onChange={({ currentTarget }) => {
            hueBy.value = /** @type {HueBy} */ (currentTarget.value);
          }}
        >
          <option value="workload">by workload</option>
          <option value="priority">by priority</option>
        </select>
      </label>
      <ul class="legend" aria-label="Colours">
        {entries.map(({ name, colour, count }) => (
          <li key={name} title={`${name || 'all others'}: ${count} pods`}>
            <span style={{ background: `var(--workload-${colour})` }} />
            {name || 'others'} <small>{count}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

/** All others come last. @param {string} name */
function rankOf(name) {
  return name === '' ? -Infinity : Number(name);
}
