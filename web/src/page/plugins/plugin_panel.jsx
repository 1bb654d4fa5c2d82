import { useEffect } from 'preact/hooks';

import { CodeField } from '../editor/code_field.jsx';
import { syntaxErrorIn } from './javascript_syntax.js';
import { SAMPLES } from './plugin_samples.js';
import { sampleName } from './sample_name.js';
import './plugin_panel.css';

/** @import { Problem } from '../../editor/problems.js' */
/** @import { Session } from '../session.js' */

/** The panel for JavaScript plugins, where they may run. @param {{ session: Session }} props */
export function PluginPanel({ session }) {
  const desk = session.pluginDesk;
  useEffect(() => void desk.begin(), [desk]);
  const reason = desk.reasonAgainst.value;
  return (
    <div class="plugin-panel">
      <h2>Plugin</h2>
      {reason === '' && <Desk session={session} />}
      {reason && <p role="status">{reason[0].toUpperCase() + reason.slice(1)}.</p>}
    </div>
  );
}

/** A plugin that is written here and runs at once. @param {{ session: Session }} props */
function Desk({ session }) {
  const desk = session.pluginDesk;
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const choose = async ({ currentTarget }) => {
    const sample = SAMPLES.find(({ id }) => id === currentTarget.value);
    currentTarget.value = '';
    if (sample) desk.write(await sample.load());
  };
  return (
    <>
      <p>
        An ES module that exports a plugin. It may import from <code>stowage</code>:{' '}
        <code>unschedulable</code>, <code>unresolvable</code>, <code>pending</code>,{' '}
        <code>skip</code>, <code>wait</code>.
      </p>
      <div class="plugin-tools">
        <select aria-label="Sample" value="" onChange={choose}>
          <option value="">Take a sample…</option>
          {SAMPLES.map(({ id }) => (
            <option key={id} value={id}>
              {sampleName(id)}
            </option>
          ))}
        </select>
        <label>
          <input
            type="checkbox"
            checked={desk.isLive}
            onChange={({ currentTarget }) => {
              desk.isLive.value = currentTarget.checked;
            }}
          />{' '}
          Run as I type
        </label>
        <button type="button" disabled={desk.text.value === ''} onClick={() => desk.run()}>
          Run
        </button>
        <button
          type="button"
          disabled={session.plugins.value.length === 0}
          onClick={() => desk.stop()}
        >
          Stop
        </button>
      </div>
      <CodeField
        language="javascript"
        label="JavaScript of the plugin"
        text={desk.text}
        refused={desk.problem.value}
        check={syntaxProblems}
        onChange={(text) => desk.write(text)}
        onApply={() => desk.run()}
      />
      <Running session={session} />
    </>
  );
}

/**
 * @param {string} text
 * @returns {Promise<Problem[]>} none, or the first
 */
async function syntaxProblems(text) {
  const found = await syntaxErrorIn(text);
  return found ? [{ severity: 'error', document: 1, ...found }] : [];
}

/** The plugins that are running at this step. @param {{ session: Session }} props */
function Running({ session }) {
  const plugins = session.plugins.value;
  if (plugins.length === 0) return <p role="status">No plugin is active at this step.</p>;
  return (
    <div role="status" class="running">
      {plugins.map(({ name, points, isAdded }) => (
        <p key={name}>
          <b>{name}</b> is active: {points.join(', ') || 'its create defines where'}.
          {isAdded && ' The configuration does not name it: it is enabled at multiPoint.'}
        </p>
      ))}
    </div>
  );
}
