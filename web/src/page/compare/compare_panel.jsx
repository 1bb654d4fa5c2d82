import { useSignal } from '@preact/signals';

import { CheckedText } from '../editor/checked_text.jsx';
import { compare, stopComparing } from './comparing.js';
import { ComparisonTables } from './comparison_tables.jsx';
import { READY_CONFIGURATIONS } from './ready_configurations.js';
import './comparison.css';

/** @import { PlainError } from '../../worker/plain_errors.js' */
/** @import { Session } from '../session.js' */

/** One that packs: nobody compares a scenario with what it has already. */
const [, FIRST] = READY_CONFIGURATIONS;

/** Another configuration for the same scenario. @param {{ session: Session }} props */
export function ComparePanel({ session }) {
  const { isOn } = session.comparing;
  return (
    <>
      <h2>Compare two configurations</h2>
      {isOn.value ? <Compared session={session} /> : <Choice session={session} />}
    </>
  );
}

/** @param {{ session: Session }} props */
function Choice({ session }) {
  const id = useSignal(FIRST.id);
  const text = useSignal(FIRST.text);
  const refused = useSignal(/** @type {PlainError | null} */ (null));
  /** @param {string} wanted */
  const choose = (wanted) => {
    const ready = READY_CONFIGURATIONS.find((one) => one.id === wanted);
    id.value = wanted;
    text.value = ready?.text ?? text.value;
    refused.value = null;
  };
  /** @param {Event} event */
  const start = async (event) => {
    event.preventDefault();
    const ready = READY_CONFIGURATIONS.find((one) => one.id === id.value);
    const title = ready?.title ?? 'your configuration';
    refused.value = await compare(session, title, { configuration: text.value });
  };
  return (
    <form onSubmit={start}>
      <p>
        A second scheduler gets the same objects, does the same steps and keeps its own
        configuration. Both stand at the same step, forward and back.
      </p>
      <p>
        <label>
          Configuration{' '}
          <select value={id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {READY_CONFIGURATIONS.map((ready) => (
              <option key={ready.id} value={ready.id}>
                {ready.title}
              </option>
            ))}
            <option value="own">Your own</option>
          </select>
        </label>
      </p>
      <CheckedText
        session={session}
        kind="configuration"
        label="KubeSchedulerConfiguration, YAML or JSON"
        text={text}
        refused={refused.value}
        onChange={(written) => {
          if (written === text.value) return;
          id.value = 'own';
          text.value = written;
          refused.value = null;
        }}
      />
      <button type="submit">Compare</button>
    </form>
  );
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
          <progress
            aria-label="Steps that B has done"
            max={position}
            value={position - behind.value}
          />{' '}
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
      <b>A</b>: as the scenario says
      <br />
      <b>B</b>: {session.comparing.title}
      <br />
      Timeline and queues are those of A.
    </p>
  );
}
