/**
 * Parses feature gates in kube-scheduler's form: `Name=true,Other=false`.
 * @param {string} text
 * @returns {{ featureGates?: Record<string, boolean>, wrong?: string }} empty for an empty text;
 *   `wrong`: the first part that cannot be parsed
 */
export function readFeatureGates(text) {
  const pairs = text.split(',').map((pair) => pair.trim());
  const written = pairs.filter((pair) => pair !== '');
  if (written.length === 0) return {};
  const wrong = written.find((pair) => !/^\w+=(true|false)$/.test(pair));
  if (wrong !== undefined) return { wrong };
  const entries = written.map((pair) => pair.split('='));
  return { featureGates: Object.fromEntries(entries.map(([name, on]) => [name, on === 'true'])) };
}
