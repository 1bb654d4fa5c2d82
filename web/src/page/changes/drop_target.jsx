import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { openFiles } from './open_files.js';
import './drop_target.css';

/** @import { Session } from '../session.js' */

/** Accepts files dropped anywhere on the page. @param {{ session: Session }} props */
export function DropTarget({ session }) {
  const isOver = useSignal(false);
  useEffect(() => {
    const stop = new AbortController();
    // Listens in the capture phase: an editor would insert the file as text.
    const options = { capture: true, signal: stop.signal };
    const hasFiles = (/** @type {DragEvent} */ { dataTransfer }) =>
      dataTransfer?.types.includes('Files') ?? false;
    const over = (/** @type {DragEvent} */ event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const drop = (/** @type {DragEvent} */ event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      isOver.value = false;
      openFiles(session, [...(event.dataTransfer?.files ?? [])]);
    };
    const leave = (/** @type {DragEvent} */ { relatedTarget }) => {
      if (relatedTarget === null) isOver.value = false;
    };
    addEventListener('dragenter', over, options);
    addEventListener('dragover', over, options);
    addEventListener('dragleave', leave, options);
    addEventListener('drop', drop, options);
    return () => stop.abort();
  }, [session]);
  if (!isOver.value) return null;
  return (
    <div class="drop-target">
      <p>
        Drop to open: a scenario, manifests, the output of <code>kubectl get -o json</code>, or a
        KubeSchedulerConfiguration
      </p>
    </div>
  );
}
