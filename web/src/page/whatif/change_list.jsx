/** @import { TriedChange } from '../../whatif/changes.js' */
/** @import { Desk } from './desk.js' */

/** The changes that are tried together. @param {{ desk: Desk }} props */
export function ChangeList({ desk }) {
  const changes = desk.changes.value;
  if (changes.length === 0) return null;
  return (
    <>
      <h3>Changes</h3>
      <ul class="chosen" aria-label="Changes to try">
        {changes.map((change) => {
          const text = textOf(change);
          return (
            <li key={text}>
              {text}{' '}
              <button
                type="button"
                aria-label={`Do not: ${text}`}
                onClick={() => desk.remove(change)}
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
      <p class="fields-in-line">
        <button
          type="button"
          class="primary"
          title="Each becomes a step, which can be undone by going back"
          onClick={() => desk.make()}
        >
          Make {changes.length === 1 ? 'this change' : 'these changes'}
        </button>
        <button type="button" onClick={() => desk.clear()}>
          Clear
        </button>
      </p>
    </>
  );
}

/** @param {TriedChange} change */
function textOf(change) {
  switch (change.type) {
    case 'drain':
      return `Drain ${change.node}`;
    case 'removeNode':
      return `${change.node} fails`;
    case 'removeZone':
      return `Zone ${change.zone} fails`;
    case 'addNodes':
      return `${change.count} more ${change.count === 1 ? 'node' : 'nodes'} like ${change.like}`;
    case 'scale':
      return `Scale ${change.namespace}/${change.name} to ${change.replicas}`;
  }
}
