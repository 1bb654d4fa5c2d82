/** @import { LiveView } from './live_view.js' */

/** What one sees of a live cluster. @param {{ live: LiveView }} props */
export function LiveStory({ live }) {
  return (
    <>
      <h2>A live cluster</h2>
      <p>
        Nodes, pods and what happens are those of <code>{live.url}</code>, as its API tells them.
      </p>
      <p>
        Choose a pod: the page says what kube-scheduler v1.36 would do with it in its next cycle, in
        this cluster as it is now. A pod that has a node is asked about as if it had just been taken
        off it.
      </p>
      <p>
        {live.allowsChanges
          ? 'What is changed here is changed in the cluster, as kubectl would change it.'
          : 'Nothing but reads is sent.'}
      </p>
    </>
  );
}
