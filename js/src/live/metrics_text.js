/**
 * Writes families of metrics in the text format that Prometheus scrapes, version 0.0.4. Source:
 * prometheus/docs, exposition formats; HELP as component-base/metrics writes it, v1.36.
 */

/** @typedef {import('../engine/record_types.js').MetricFamily} MetricFamily */
/** @typedef {import('../engine/record_types.js').Sample} Sample */
/** @typedef {import('../engine/record_types.js').Stability} Stability */

/** The content type of the text. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * @param {Iterable<MetricFamily>} families
 * @returns {string} families by name, samples by their labels; families without samples are left
 *   out
 */
export function metricsText(families) {
  const sorted = [...families].sort((a, b) => byText(a.name, b.name));
  return sorted.map(familyText).join('');
}

/**
 * Formats a number as Go's `%g`, in the shortest exact form: `0.001`, `1e-05`, `1e+06`, `+Inf`.
 * @param {number} value
 */
export function formatFloat(value) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return '0';
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  // In this range neither Go nor String() prints an exponent.
  if (power >= -4 && power < 6) return String(value);
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${digits}e${power < 0 ? '-' : '+'}${size}`;
}

/** @param {MetricFamily} family */
function familyText(family) {
  const { name, type, help, stability, labels, samples } = family;
  if (samples.length === 0) return '';
  const prefix = stability ? `[${stability}] ` : '';
  const order = labels.map((_, index) => index).sort((a, b) => byText(labels[a], labels[b]));
  const rows = samples
    .map((sample) => ({ sample, values: order.map((index) => sample.labels[index]) }))
    .sort((a, b) => byTexts(a.values, b.values));
  const names = order.map((index) => labels[index]);
  const lines = rows.flatMap(({ sample, values }) => {
    const pairs = values.map((value, index) => pairText(names[index], value));
    return 'value' in sample
      ? [lineOf(name, pairs, sample.value)]
      : histogramLines(family, pairs, sample);
  });
  return [
    `# HELP ${name} ${prefix}${escapedHelp(help)}`,
    `# TYPE ${name} ${type}`,
    ...lines,
    '',
  ].join('\n');
}

/**
 * @param {MetricFamily} family
 * @param {string[]} pairs
 * @param {{ buckets: number[], sum: number, count: number }} sample
 */
function histogramLines({ name, bounds = [] }, pairs, { buckets, sum, count }) {
  let reached = 0;
  const lines = bounds.map((bound, index) => {
    reached += buckets[index] ?? 0;
    return lineOf(`${name}_bucket`, [...pairs, pairText('le', formatFloat(bound))], reached);
  });
  return [
    ...lines,
    lineOf(`${name}_bucket`, [...pairs, pairText('le', '+Inf')], count),
    lineOf(`${name}_sum`, pairs, sum),
    lineOf(`${name}_count`, pairs, count),
  ];
}

/**
 * @param {string} name
 * @param {string[]} pairs
 * @param {number} value
 */
function lineOf(name, pairs, value) {
  const labels = pairs.length > 0 ? `{${pairs.join(',')}}` : '';
  return `${name}${labels} ${formatFloat(value)}`;
}

/**
 * @param {string} name
 * @param {string} value
 */
function pairText(name, value) {
  const escaped = value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
  return `${name}="${escaped}"`;
}

/** @param {string} help */
function escapedHelp(help) {
  return help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}

/**
 * @param {string} a
 * @param {string} b
 */
function byText(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * @param {string[]} a
 * @param {string[]} b
 */
function byTexts(a, b) {
  const index = a.findIndex((text, at) => text !== b[at]);
  return index < 0 ? 0 : byText(a[index], b[index]);
}
