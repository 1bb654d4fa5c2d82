import { ClusterTool } from './live/cluster_dialog.jsx';
import { ExportTool } from './share/export_tool.jsx';
import { CLUSTERS, LESSONS, lessonLabel, lessonOf } from './lessons.js';
import { OpenFile } from './changes/open_file.jsx';
import { ShareTool } from './share/share_tool.jsx';
import { ReleaseChoice } from './release_choice.jsx';
import { visit } from './share/sharing.js';

/** @import { Session } from './session.js' */

/** @param {{ session: Session }} props */
export function Header({ session }) {
  const source = session.live.value?.url ?? session.source.value;
  // After a fault the choice is rendered again: it shows what is open, not what was refused.
  void session.fault.value;
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const choose = ({ currentTarget }) => visit(session, `#lesson=${currentTarget.value}`);
  return (
    <header>
      <h1>Stowage</h1>
      <p>
        The decisions of kube-scheduler <Release session={session} />, in this page
      </p>
      <label>
        <span class="unseen">Lesson or cluster</span>
        <select value={source} onChange={choose}>
          {!lessonOf(source) && <option value={source}>{source}</option>}
          <Lessons label="Lessons" lessons={LESSONS} />
          <Lessons label="Clusters" lessons={CLUSTERS} />
        </select>
      </label>
      <OpenFile session={session} />
      <ShareTool session={session} />
      <ExportTool session={session} />
      <ClusterTool session={session} />
    </header>
  );
}

/**
 * The release that decides. A live cluster's own scheduler is not changed.
 * @param {{ session: Session }} props
 */
function Release({ session }) {
  const { live, release, fault } = session;
  void fault.value;
  if (live.value) return <>{release}</>;
  return (
    <ReleaseChoice
      label="Release of kube-scheduler"
      value={release.value}
      onChange={(wanted) =>
        session.ask((playground) => playground.reconfigure({ kubernetesVersion: wanted }))
      }
    />
  );
}

/** @param {{ label: string, lessons: readonly import('./lessons.js').Lesson[] }} props */
function Lessons({ label, lessons }) {
  return (
    <optgroup label={label}>
      {lessons.map((lesson) => (
        <option key={lesson.id} value={lesson.id}>
          {lessonLabel(lesson)}
        </option>
      ))}
    </optgroup>
  );
}
