/** A panel that loads when the user first opens it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** @import { Panel } from './side_panels.jsx' */
/** @import { Session } from './session.js' */

/** Panels that have loaded. @type {Map<() => Promise<Panel>, Panel>} */
const loaded = new Map();

/** @param {{ session: Session, load: () => Promise<Panel> }} props */
export function LaterPanel({ session, load }) {
  const fault = useSignal('');
  const isLoaded = useSignal(loaded.has(load));
  const begin = async () => {
    fault.value = '';
    try {
      loaded.set(load, loaded.get(load) ?? (await load()));
      isLoaded.value = true;
    } catch (cause) {
      fault.value = /** @type {any} */ (cause)?.message ?? String(cause);
    }
  };
  useEffect(() => void begin(), []);
  const View = isLoaded.value && loaded.get(load);
  if (View) return <View session={session} />;
  if (!fault.value) return <p class="hint">This panel is loading.</p>;
  return (
    <>
      <p class="fault" role="alert">
        This panel cannot be loaded: {fault}
      </p>
      <button type="button" onClick={begin}>
        Try again
      </button>
    </>
  );
}
