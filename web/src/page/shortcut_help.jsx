import { useEffect, useRef } from 'preact/hooks';
import { SHORTCUTS, areKeysOn, listenToKeys } from './shortcuts.js';

/** @import { Session } from './session.js' */

/**
 * The list of keyboard shortcuts. They work while this component is on the page.
 * @param {{ session: Session }} props
 */
export function ShortcutHelp({ session }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => listenToKeys(session), [session]);
  return (
    <>
      <button
        type="button"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => dialog.current?.showModal()}
      >
        ?
      </button>
      <dialog ref={dialog} class="keys" aria-label="Keys">
        <table>
          <tbody>
            {SHORTCUTS.map(({ name, does }) => (
              <tr key={name}>
                <th scope="row">
                  <kbd>{name}</kbd>
                </th>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          <label>
            <input
              type="checkbox"
              checked={areKeysOn}
              onChange={({ currentTarget }) => {
                areKeysOn.value = currentTarget.checked;
              }}
            />{' '}
            These keys are on
          </label>
        </p>
        <p>In the cluster: arrow keys, Home, End, Enter, Escape.</p>
        <p>Ctrl or ⌘ with V, outside a text field: open the clipboard.</p>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}
