/** @import { Desk } from './desk.js' */

/** How much of the cluster is read, for the first question. @param {{ desk: Desk }} props */
export function Reading({ desk }) {
  const loaded = desk.loaded.value;
  if (!loaded) return null;
  return (
    <p role="status">
      Reading the cluster:{' '}
      <progress aria-label="Objects read" max={loaded.total} value={loaded.done} />{' '}
      {loaded.done.toLocaleString('en')} of {loaded.total.toLocaleString('en')} objects
    </p>
  );
}
