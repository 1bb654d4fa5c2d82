import { ClusterView } from './cluster/cluster_view.jsx';
import { Controls } from './timeline/controls.jsx';
import { Decisions } from './decision/decisions.jsx';
import { ChangesView } from './changes/changes_view.jsx';
import { DropTarget } from './changes/drop_target.jsx';
import { EmbeddedHeader } from './share/embedded_header.jsx';
import { isEmbedded } from './share/embedding.js';
import { Fault } from './fault.jsx';
import { Header } from './header.jsx';
import { KeptWork } from './share/kept_work.jsx';
import { LiveBar } from './live/live_bar.jsx';
import { LiveTimeline } from './live/live_timeline.jsx';
import { PasteDialog } from './changes/paste_dialog.jsx';
import { PluginNotices } from './plugins/plugin_notices.jsx';
import { QueueView } from './timeline/queue_view.jsx';
import { SidePanels } from './side_panels.jsx';
import { TimelineView } from './timeline/timeline_view.jsx';

/** @import { Session } from './session.js' */

/** The build writes the linked file next to the page. */
function Footer() {
  return (
    <footer>
      <a href="THIRD_PARTY_NOTICES.txt">Third-party licences</a>
    </footer>
  );
}

/** @param {{ session: Session }} props */
export function App({ session }) {
  const live = session.live.value;
  return (
    <div class={isEmbedded() ? 'app embedded' : 'app'} aria-busy={session.isBusy}>
      {isEmbedded() ? <EmbeddedHeader session={session} /> : <Header session={session} />}
      <main>
        <div class="time-bar">
          {live ? <LiveBar session={session} live={live} /> : <Controls session={session} />}
        </div>
        <aside class={`side ${session.panel}`} aria-label="Scenario" tabIndex={0}>
          <SidePanels session={session} />
        </aside>
        <section class="stage" aria-label="Cluster" tabIndex={0}>
          <PluginNotices session={session} />
          <KeptWork session={session} />
          <Fault fault={session.fault.value} onClose={() => void (session.fault.value = null)} />
          <ClusterView session={session} />
          <ChangesView session={session} />
          <QueueView session={session} />
        </section>
        <section class="detail" aria-label="Decision" tabIndex={0}>
          <Decisions session={session} />
        </section>
        <section class="time" aria-label="Timeline" tabIndex={0}>
          {live ? (
            <LiveTimeline session={session} live={live} />
          ) : (
            <TimelineView session={session} />
          )}
        </section>
        <DropTarget session={session} />
      </main>
      <PasteDialog session={session} />
      {!isEmbedded() && <Footer />}
    </div>
  );
}
