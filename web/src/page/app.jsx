import { ClusterView } from './cluster_view.jsx';
import { Controls } from './controls.jsx';
import { DecisionView } from './decision_view.jsx';
import { Header } from './header.jsx';
import { QueueView } from './queue_view.jsx';
import { Story } from './story.jsx';
import { TimelineView } from './timeline_view.jsx';

/** @import { Session } from './session.js' */

/** @param {{ session: Session }} props */
export function App({ session }) {
  return (
    <div class="app" aria-busy={session.isBusy}>
      <Header session={session} />
      <main>
        <aside class="story" aria-label="Scenario" tabIndex={0}>
          <Story session={session} />
        </aside>
        <section class="stage" aria-label="Cluster" tabIndex={0}>
          <Controls session={session} />
          <FaultLine session={session} />
          <ClusterView session={session} />
          <QueueView session={session} />
        </section>
        <section class="detail" aria-label="Decision" tabIndex={0}>
          <DecisionView session={session} />
        </section>
        <section class="time" aria-label="Timeline" tabIndex={0}>
          <TimelineView session={session} />
        </section>
      </main>
    </div>
  );
}

/** @param {{ session: Session }} props */
function FaultLine({ session }) {
  const fault = session.fault.value;
  if (!fault) return null;
  const { source, document, line, column, message } = fault;
  const where = [
    source,
    document !== undefined && `document ${document}`,
    line !== undefined && `line ${line}`,
    column !== undefined && `column ${column}`,
  ].filter(Boolean);
  return (
    <p class="fault" role="alert">
      {where.length > 0 && <b>{where.join(', ')}: </b>}
      {message}
    </p>
  );
}
