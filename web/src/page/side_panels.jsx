import { ComparePanel } from './compare/compare_panel.jsx';
import { EditorPanel } from './editor/editor_panel.jsx';
import { PluginPanel } from './plugins/plugin_panel.jsx';
import { Story } from './story.jsx';

/** @import { ComponentType } from 'preact' */
/** @import { Session } from './session.js' */

/**
 * What can be open beside the cluster.
 * @type {readonly { id: string, title: string, View: ComponentType<{ session: Session }> }[]}
 */
const PANELS = [
  { id: 'story', title: 'Story', View: Story },
  { id: 'edit', title: 'Edit', View: EditorPanel },
  { id: 'compare', title: 'Compare', View: ComparePanel },
  { id: 'plugin', title: 'Plugin', View: PluginPanel },
];

/** The panels as tabs. @param {{ session: Session }} props */
export function SidePanels({ session }) {
  const open = PANELS.find(({ id }) => id === session.panel.value) ?? PANELS[0];
  /** @param {KeyboardEvent} event */
  const move = ({ key }) => {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? PANELS.length - 1 : 0;
    if (by === 0) return;
    const next = PANELS[(PANELS.indexOf(open) + by) % PANELS.length];
    session.panel.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={move}>
        {PANELS.map(({ id, title }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === open.id}
            aria-controls="side-panel"
            tabIndex={id === open.id ? 0 : -1}
            onClick={() => {
              session.panel.value = id;
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div id="side-panel" role="tabpanel" aria-labelledby={`tab-${open.id}`}>
        <open.View session={session} />
      </div>
    </>
  );
}
