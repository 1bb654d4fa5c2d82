import { useRef } from 'preact/hooks';

import { openFiles } from './open_files.js';
import { pasteDesk } from './paste.js';

/** @import { Session } from '../session.js' */

/** The buttons that open files or pasted text. @param {{ session: Session }} props */
export function OpenFile({ session }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  return (
    <>
      <button
        type="button"
        title="Scenario, manifests, output of kubectl get -o json, or KubeSchedulerConfiguration"
        onClick={() => input.current?.click()}
      >
        Open file…
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to open"
        onChange={({ currentTarget }) => {
          openFiles(session, [...(currentTarget.files ?? [])]);
          // Clears the input, so that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <button
        type="button"
        title="Paste a text; or press Ctrl or ⌘ with V anywhere on the page"
        onClick={() => {
          pasteDesk.isOpen.value = true;
        }}
      >
        Paste…
      </button>
    </>
  );
}
