/** The questions to the user about running JavaScript. */

/** @import { Session } from '../session.js' */

/** @param {{ session: Session }} props */
export function PluginNotices({ session }) {
  return (
    <>
      <Unagreed session={session} />
      <LeftOut session={session} />
      <Stuck session={session} />
    </>
  );
}

/** @param {{ session: Session }} props */
function Unagreed({ session }) {
  const unagreed = session.connection?.unagreed.value;
  if (!unagreed) return null;
  return (
    <div class="plugin-notice" role="alertdialog" aria-labelledby="unagreed">
      <p id="unagreed">
        This scenario contains JavaScript plugins for the scheduler. Run them only if you trust
        their author.
      </p>
      <details>
        <summary>Its code</summary>
        <pre tabIndex={0}>{unagreed.sources.join('\n')}</pre>
      </details>
      <button type="button" onClick={() => unagreed.decide(true)}>
        Run it
      </button>
      <button type="button" onClick={() => unagreed.decide(false)}>
        Open without it
      </button>
    </div>
  );
}

/** @param {{ session: Session }} props */
function LeftOut({ session }) {
  const reason = session.connection?.leftOutFor.value;
  if (!reason) return null;
  return (
    <div class="plugin-notice" role="status">
      <p>This scenario brings JavaScript, which is left out: {reason}.</p>
    </div>
  );
}

/** @param {{ session: Session }} props */
function Stuck({ session }) {
  if (!session.connection?.isStuck.value) return null;
  return (
    <div class="plugin-notice" role="alertdialog" aria-labelledby="stuck">
      <p id="stuck">The plugin does not answer. It may never return.</p>
      <button type="button" onClick={() => session.pluginDesk.restart()}>
        Restart without it
      </button>
    </div>
  );
}
