import { useSignal } from '@preact/signals';

import { Fault } from '../fault.jsx';
import { compare, configureFirst, refusalOf, stopComparing } from './comparing.js';
import { ComparisonTables } from './comparison_tables.jsx';
import { ConfigurationChoice, IN_FORCE, titleOf } from './configuration_choice.jsx';
import { readFeatureGates } from './feature_gates.js';
import { ReleaseChoice } from '../release_choice.jsx';
import { READY_CONFIGURATIONS } from './ready_configurations.js';
import './comparison.css';

/** @import { Fault as SaidFault, Session } from '../session.js' */
/** @import { Choice } from './configuration_choice.jsx' */
/** @import { ReadyConfiguration } from './ready_configurations.js' */

/** Leaves out the configuration that the scenario has already. */
const [, PACKING] = READY_CONFIGURATIONS;

const FIRST = [IN_FORCE, ...READY_CONFIGURATIONS];

/**
 * The panel that compares the scenario with another configuration.
 * @param {{ session: Session }} props
 */
export function ComparePanel({ session }) {
  const { isOn } = session.comparing;
  return (
    <>
      <h2>Compare two configurations</h2>
      {isOn.value ? <Compared session={session} /> : <Choices session={session} />}
    </>
  );
}

/** @param {{ session: Session }} props */
function Choices({ session }) {
  const first = useChoice(IN_FORCE);
  const other = useChoice(PACKING);
  const release = useSignal(session.release.value);
  const gates = useSignal('');
  const wrongGate = useSignal('');
  /** @param {Event} event */
  const start = async (event) => {
    event.preventDefault();
    const { featureGates, wrong = '' } = readFeatureGates(gates.value);
    wrongGate.value = wrong && `“${wrong}” is not a feature gate: write Name=true or Name=false.`;
    if (wrong) return;
    const isOther = first.id.value !== IN_FORCE.id;
    const refused = isOther ? await refusalOf(session, first.text.value) : null;
    first.refused.value = refused;
    if (refused) return;
    const titles = titlesOf({ first, other }, [session.release.value, release.value]);
    const settings = {
      configuration: await textOf(session, other),
      kubernetesVersion: release.value,
      ...(featureGates && { featureGates }),
    };
    other.refused.value = await compare(session, titles, settings);
    if (!other.refused.value && isOther) await configureFirst(session, first.text.value);
  };
  return (
    <form onSubmit={start} class="compare-form">
      <p>
        A second scheduler gets the same objects, runs the same steps and has its own configuration.
        Both are always at the same step, also after going back.
      </p>
      <ConfigurationChoice session={session} label="A" ready={FIRST} choice={first} />
      {first.id.value !== IN_FORCE.id && <p class="hint">A uses it from this step on.</p>}
      <ConfigurationChoice session={session} label="B" ready={FIRST} choice={other} />
      <p>
        <label>
          Release of B{' '}
          <ReleaseChoice
            label="Release of B"
            value={release.value}
            onChange={(wanted) => (release.value = wanted)}
          />
        </label>
      </p>
      <label>
        Feature gates of B{' '}
        <input
          type="text"
          placeholder="those of the scenario"
          value={gates}
          onInput={({ currentTarget }) => {
            gates.value = currentTarget.value;
            wrongGate.value = '';
          }}
        />
      </label>
      <Fault fault={wrongGate.value ? { name: 'Error', message: wrongGate.value } : null} />
      <button type="submit">Compare</button>
    </form>
  );
}

/**
 * The text of a configuration, which for the current one is in the worker.
 * @param {Session} session
 * @param {Choice} choice
 */
async function textOf(session, { id, text }) {
  if (id.value !== IN_FORCE.id) return text.value;
  return session.query((playground) => playground.editable('configuration'));
}

/**
 * Names both sides, with their releases if they differ.
 * @param {{ first: Choice, other: Choice }} choices
 * @param {string[]} releases
 */
function titlesOf({ first, other }, [a, b]) {
  const title = (/** @type {Choice} */ choice, /** @type {string} */ release) =>
    titleOf(choice, FIRST) + (a === b ? '' : `, ${release}`);
  return { first: title(first, a), other: title(other, b) };
}

/** @param {ReadyConfiguration} ready @returns {Choice} */
function useChoice({ id, text }) {
  return {
    id: useSignal(id),
    text: useSignal(text),
    refused: useSignal(/** @type {SaidFault | null} */ (null)),
  };
}

/** @param {{ session: Session }} props */
function Compared({ session }) {
  const { behind, errors } = session.comparing;
  const position = session.position.value;
  return (
    <>
      <Sides session={session} />
      <p>
        <button type="button" onClick={() => stopComparing(session)}>
          Stop comparing
        </button>
      </p>
      {behind.value > 0 && (
        <p role="status">
          B catches up:{' '}
          <progress aria-label="Steps of B" max={position} value={position - behind.value} />{' '}
          {position - behind.value} of {position} steps
        </p>
      )}
      {errors.value.length > 0 && (
        <p class="fault" role="alert">
          Refused in B alone: {errors.value.join('\n')}
        </p>
      )}
      <ComparisonTables session={session} />
    </>
  );
}

/** @param {{ session: Session }} props */
function Sides({ session }) {
  return (
    <p>
      <b>A</b>: {session.comparing.firstTitle}
      <br />
      <b>B</b>: {session.comparing.title}
      <br />
      The timeline and the queues show A.
    </p>
  );
}
