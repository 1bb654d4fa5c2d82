import { useEffect, useRef } from 'preact/hooks';

import { CheckedText } from '../editor/checked_text.jsx';
import { pasteDesk } from './paste.js';
import './paste_dialog.css';

/** @import { Session } from '../session.js' */

const HINT =
  'A scenario, manifests, the output of kubectl get -o yaml, or a KubeSchedulerConfiguration';

/**
 * Opens a text that is pasted anywhere on the page, or into the dialog.
 * @param {{ session: Session }} props
 */
export function PasteDialog({ session }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const isOpen = pasteDesk.isOpen.value;
  useEffect(() => {
    const take = (/** @type {ClipboardEvent} */ event) => void pasteDesk.take(session, event);
    addEventListener('paste', take);
    return () => removeEventListener('paste', take);
  }, [session]);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      class="paste"
      aria-labelledby="paste-title"
      onClose={() => {
        pasteDesk.isOpen.value = false;
      }}
    >
      {isOpen && <PasteForm session={session} />}
    </dialog>
  );
}

/** @param {{ session: Session }} props */
function PasteForm({ session }) {
  const { text, refused, isOpen } = pasteDesk;
  const open = () => pasteDesk.open(session, text.value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <h2 id="paste-title">Open a text</h2>
      <p>
        It replaces the open scenario; a KubeSchedulerConfiguration replaces only its configuration.
      </p>
      <CheckedText
        session={session}
        kind="file"
        label="Text to open, YAML or JSON"
        hint={HINT}
        text={text}
        refused={refused.value}
        onChange={(written) => pasteDesk.write(written)}
        onApply={open}
      />
      <div class="buttons">
        <button type="submit" disabled={text.value.trim() === ''}>
          Open
        </button>
        <button
          type="button"
          onClick={() => {
            isOpen.value = false;
          }}
        >
          Close
        </button>
      </div>
    </form>
  );
}
