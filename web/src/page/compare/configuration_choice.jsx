import { CheckedText } from '../editor/checked_text.jsx';

/** @import { Signal } from '@preact/signals' */
/** @import { Fault, Session } from '../session.js' */
/** @import { ReadyConfiguration } from './ready_configurations.js' */

/** The id of the configuration that the user writes. */
const OWN = { id: 'own', title: 'your configuration' };

/** Choices without a text of their own. */
export const IN_FORCE = { id: 'in-force', title: 'the current configuration', text: '' };

/**
 * The chosen configuration with its text.
 * @typedef {{ id: Signal<string>, text: Signal<string>, refused: Signal<Fault | null> }} Choice
 */

/**
 * @param {{ session: Session, label: string, ready: readonly ReadyConfiguration[], choice: Choice
 *   }} props
 */
export function ConfigurationChoice({ session, label, ready, choice: { id, text, refused } }) {
  /** @param {string} wanted */
  const choose = (wanted) => {
    id.value = wanted;
    text.value = ready.find((one) => one.id === wanted)?.text ?? text.value;
    refused.value = null;
  };
  return (
    <>
      <p>
        <label>
          {label}{' '}
          <select value={id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {[...ready, OWN].map(({ id: value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </p>
      {id.value !== IN_FORCE.id && (
        <CheckedText
          session={session}
          kind="configuration"
          label={`${label}: KubeSchedulerConfiguration, YAML or JSON`}
          text={text}
          refused={refused.value}
          onChange={(written) => {
            if (written === text.value) return;
            choose(OWN.id);
            text.value = written;
          }}
        />
      )}
    </>
  );
}

/**
 * @param {Choice} choice
 * @param {readonly ReadyConfiguration[]} ready
 */
export function titleOf({ id }, ready) {
  return [...ready, OWN].find((one) => one.id === id.value)?.title ?? '';
}
