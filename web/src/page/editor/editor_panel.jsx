/** The editor's panel. It loads when the user first opens it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** @import { ComponentType } from 'preact' */
/** @import { Session } from '../session.js' */

const loaded = signal(/** @type {ComponentType<{ session: Session }> | null} */ (null));
const fault = signal('');

/** @param {{ session: Session }} props */
export function EditorPanel({ session }) {
  useEffect(() => void load(), []);
  const View = loaded.value;
  if (View) return <View session={session} />;
  if (!fault.value) return <p class="hint">The editor is loading.</p>;
  return (
    <>
      <p class="fault" role="alert">
        The editor cannot be loaded: {fault}
      </p>
      <button type="button" onClick={load}>
        Try again
      </button>
    </>
  );
}

async function load() {
  if (loaded.value) return;
  fault.value = '';
  try {
    const { TextEditor } = await import('./text_editor.jsx');
    loaded.value = TextEditor;
  } catch (cause) {
    fault.value = /** @type {any} */ (cause)?.message ?? String(cause);
  }
}
