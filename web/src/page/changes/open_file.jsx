import { useRef } from 'preact/hooks';
import { openFiles } from './open_files.js';

/** @import { Session } from '../session.js' */

/** The tool that asks for files. @param {{ session: Session }} props */
export function OpenFile({ session }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  return (
    <>
      <button
        type="button"
        title="A scenario, manifests, what kubectl get -o json gave, a KubeSchedulerConfiguration"
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
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
