import { ComparePanel } from './compare/compare_panel.jsx';
import { LaterPanel } from './later_panel.jsx';
import { PluginPanel } from './plugins/plugin_panel.jsx';
import { Story } from './story.jsx';

/** @import { ComponentType } from 'preact' */
/** @import { Session } from './session.js' */
/** @typedef {ComponentType<{ session: Session }>} Panel */

const editor = async () => (await import('./editor/text_editor.jsx')).TextEditor;
const whatIf = async () => (await import('./whatif/what_if_view.jsx')).WhatIfView;

/**
 * The panels beside the cluster. `load`: of those that load when the user first opens them;
 * `ofScenario`: not available for a live cluster.
 * @type {readonly { id: string, title: string, View?: Panel, load?: () => Promise<Panel>,
 *   ofScenario?: boolean }[]}
 */
const PANELS = [
  { id: 'story', title: 'Story', View: Story },
  { id: 'edit', title: 'Edit', load: editor },
  { id: 'compare', title: 'Compare', View: ComparePanel, ofScenario: true },
  { id: 'whatif', title: 'What if', load: whatIf, ofScenario: true },
  { id: 'plugin', title: 'Plugin', View: PluginPanel, ofScenario: true },
];

/** The reason why panels are not available for a live cluster. */
const LIVE = 'Compare, Plugin and What if need a scenario: a live cluster has its own scheduler.';

/** The panels as tabs. @param {{ session: Session }} props */
export function SidePanels({ session }) {
  const isLive = session.live.value !== null;
  const panels = PANELS.filter(({ ofScenario }) => !isLive || !ofScenario);
  const open = panels.find(({ id }) => id === session.panel.value) ?? PANELS[0];
  /** @param {KeyboardEvent} event */
  const move = ({ key }) => {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? panels.length - 1 : 0;
    if (by === 0) return;
    const next = panels[(panels.indexOf(open) + by) % panels.length];
    session.panel.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={move}>
        {PANELS.map(({ id, title, ofScenario = false }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === open.id}
            aria-controls="side-panel"
            aria-disabled={isLive && ofScenario}
            title={isLive && ofScenario ? LIVE : undefined}
            tabIndex={id === open.id ? 0 : -1}
            onClick={() => {
              if (!isLive || !ofScenario) session.panel.value = id;
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {isLive && <p class="hint">{LIVE}</p>}
      <div id="side-panel" role="tabpanel" aria-labelledby={`tab-${open.id}`}>
        {open.View && <open.View session={session} />}
        {open.load && <LaterPanel key={open.id} session={session} load={open.load} />}
      </div>
    </>
  );
}
