import { AddView } from './add_view.jsx';
import { NodeSelection } from './node_selection.jsx';
import { PodSelection } from './pod_selection.jsx';
import { WorkloadList } from './workload_list.jsx';
import './changes_view.css';

/** @import { Session } from '../session.js' */

/** What can be done to what is selected. @param {{ session: Session }} props */
export function ChangesView({ session }) {
  if (!mayChange(session)) return null;
  return (
    <section class="changes" aria-label="Changes">
      <NodeSelection session={session} />
      <PodSelection session={session} />
    </section>
  );
}

/** What can be done to the cluster. @param {{ session: Session }} props */
export function ChangeTools({ session }) {
  if (!mayChange(session)) return null;
  return (
    <>
      <AddView session={session} />
      <WorkloadList session={session} />
    </>
  );
}

/** What is followed may be there to be looked at alone. @param {Session} session */
function mayChange({ live }) {
  return live.value?.allowsChanges !== false;
}
