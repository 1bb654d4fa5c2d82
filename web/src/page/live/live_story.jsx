/** @import { LiveView } from './live_view.js' */

/** What the page shows while it follows a live cluster. @param {{ live: LiveView }} props */
export function LiveStory({ live }) {
  return (
    <>
      <h2>A live cluster</h2>
      <p>
        The page shows nodes, pods and events of <code>{live.url}</code>, read from its API.
      </p>
      <p>
        Choose a pod: the page shows what kube-scheduler v1.36 would decide in its next cycle, in
        the cluster’s current state. A pod with a node is evaluated as if it had just been taken off
        it.
      </p>
      <p>
        {live.allowsChanges
          ? 'Changes here change the cluster, as kubectl would.'
          : 'Read-only: the page sends no changes.'}
      </p>
    </>
  );
}
