import { AddView } from './add_view.jsx';
import { NodePicker } from './node_picker.jsx';
import { NodeSelection } from './node_selection.jsx';
import { PodSelection } from './pod_selection.jsx';
import { WorkloadList } from './workload_list.jsx';
import './changes_view.css';

/** @import { Session } from '../session.js' */

/** What can be done to the cluster, and to what is selected. @param {{ session: Session }} props */
export function ChangesView({ session }) {
  // What is followed and may not be changed is looked at alone.
  if (session.live.value?.allowsChanges === false) return null;
  return (
    <section class="changes" aria-label="Changes">
      <NodeSelection session={session} />
      <PodSelection session={session} />
      <div class="tools">
        <AddView session={session} />
        <NodePicker session={session} />
        <WorkloadList session={session} />
      </div>
    </section>
  );
}
