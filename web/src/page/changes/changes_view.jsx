import { AddView } from './add_view.jsx';
import { NodeSelection } from './node_selection.jsx';
import { PodSelection } from './pod_selection.jsx';
import { WorkloadList } from './workload_list.jsx';
import './changes_view.css';

/** @import { Session } from '../session.js' */

/** The changes that the selected object offers. @param {{ session: Session }} props */
export function ChangesView({ session }) {
  if (!mayChange(session)) return null;
  return (
    <section class="changes" aria-label="Changes">
      <NodeSelection session={session} />
      <PodSelection session={session} />
    </section>
  );
}

/** The changes that the cluster offers. @param {{ session: Session }} props */
export function ChangeTools({ session }) {
  if (!mayChange(session)) return null;
  return (
    <>
      <AddView session={session} />
      <WorkloadList session={session} />
    </>
  );
}

/** A followed cluster may be read-only. @param {Session} session */
function mayChange({ live }) {
  return live.value?.allowsChanges !== false;
}
