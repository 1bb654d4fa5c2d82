import { RELEASES, releaseOf } from '../../../js/src/kubernetes.js';

/**
 * @param {{ label: string, value: string, onChange: (release: string) => unknown }} props
 */
export function ReleaseChoice({ label, value, onChange }) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {RELEASES.map((name) => (
        <option key={name}>{releaseOf(name)}</option>
      ))}
    </select>
  );
}
