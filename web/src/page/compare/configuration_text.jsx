/** @import { PlainError } from '../../worker/plain_errors.js' */

/**
 * A KubeSchedulerConfiguration to be written.
 * @param {{ label: string, value: string, refused: PlainError | null, onChange: (text: string) =>
 *   void }} props `refused`: what is wrong with it
 */
export function ConfigurationText({ label, value, refused, onChange }) {
  const where =
    refused?.line === undefined ? '' : `line ${refused.line}, column ${refused.column}: `;
  return (
    <>
      <label>
        {label}
        <textarea
          class="yaml"
          rows={12}
          spellcheck={false}
          value={value}
          aria-invalid={refused !== null}
          aria-describedby={refused ? 'configuration-refused' : undefined}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      {refused && (
        <p class="fault" role="alert" id="configuration-refused">
          <b>{where}</b>
          {refused.message}
        </p>
      )}
    </>
  );
}
