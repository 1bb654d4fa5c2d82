/**
 * The rules for names and labels. Each function returns the violations in Kubernetes' words; an
 * empty list if there are none. Counterpart: apimachinery/pkg/util/validation and
 * apimachinery/pkg/api/validate/content, v1.36.
 */

const LABEL_FORMAT = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_FORMAT = `${LABEL_FORMAT}(\\.${LABEL_FORMAT})*`;
const DNS1035_FORMAT = '[a-z]([-a-z0-9]*[a-z0-9])?';
const KEY_FORMAT = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE_FORMAT = `(${KEY_FORMAT})?`;

const LABEL = new RegExp(`^${LABEL_FORMAT}$`);
const SUBDOMAIN = new RegExp(`^${SUBDOMAIN_FORMAT}$`);
const DNS1035 = new RegExp(`^${DNS1035_FORMAT}$`);
const KEY = new RegExp(`^${KEY_FORMAT}$`);
const VALUE = new RegExp(`^${VALUE_FORMAT}$`);

const LABEL_LONGEST = 63;
const SUBDOMAIN_LONGEST = 253;
const PORT_NAME_LONGEST = 15;

const ENDS = 'and must start and end with an alphanumeric character';
const DOTS = 'must not contain dots';

const SUBDOMAIN_RULE = withExamples(
  'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ' +
    `'-' or '.', ${ENDS}`,
  SUBDOMAIN_FORMAT,
  'example.com',
);
const LABEL_RULE = withExamples(
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS}`,
  LABEL_FORMAT,
  'my-name',
  '123-abc',
);
const DNS1035_RULE = withExamples(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
    'alphabetic character, and end with an alphanumeric character',
  DNS1035_FORMAT,
  'my-name',
  'abc-123',
);
const KEY_RULE = withExamples(
  `must consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`,
  KEY_FORMAT,
  'MyName',
  'my.name',
  '123-abc',
);
const VALUE_RULE = withExamples(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or " +
    `'.', ${ENDS}`,
  VALUE_FORMAT,
  'MyValue',
  'my_value',
  '12345',
);

const HEADER_NAME_RULE = withExamples(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  '[-A-Za-z0-9]+',
  'X-Header-Name',
);

/** @param {string} value a name such as a pod's */
export function subdomainFaults(value) {
  return faults(value, SUBDOMAIN_LONGEST, [SUBDOMAIN.test(value), SUBDOMAIN_RULE]);
}

/** @param {string} value a name such as a namespace's, or a container's */
export function labelNameFaults(value) {
  const isLabel = LABEL.test(value);
  const words = !isLabel && SUBDOMAIN.test(value) ? DOTS : LABEL_RULE;
  return faults(value, LABEL_LONGEST, [isLabel, words]);
}

/** @param {string} value a name such as a service's */
export function dns1035Faults(value) {
  return faults(value, LABEL_LONGEST, [DNS1035.test(value), DNS1035_RULE]);
}

/** @param {string} value the name of a port */
export function portNameFaults(value) {
  const rules = /** @type {[boolean, string][]} */ ([
    [value.length <= PORT_NAME_LONGEST, `must be no more than ${PORT_NAME_LONGEST} characters`],
    [
      /^[-a-z0-9]+$/.test(value),
      'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ],
    [/[a-z]/.test(value), 'must contain at least one letter (a-z)'],
    [!value.includes('--'), 'must not contain consecutive hyphens'],
    [!/^-|-$/.test(value), 'must not begin or end with a hyphen'],
  ]);
  return rules.filter(([isKept]) => !isKept).map(([, words]) => words);
}

/** @param {string} value the name of an environment variable */
export function variableNameFaults(value) {
  if (/^[ -<>-~]*$/.test(value)) return [];
  const words = "must consist only of printable ASCII characters other than '='";
  return [`a valid environment variable name ${words}`];
}

/** @param {string} value the name of an HTTP header */
export function headerNameFaults(value) {
  return /^[-A-Za-z0-9]+$/.test(value) ? [] : [HEADER_NAME_RULE];
}

/** @param {string} value a name that is one segment of a path */
export function pathSegmentFaults(value) {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%']
    .filter((part) => value.includes(part))
    .map((part) => `may not contain '${part}'`);
}

/** @param {string} value */
export function labelKeyFaults(value) {
  const [first, second, third] = value.split('/');
  if (third !== undefined) {
    const prefix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a valid label key ${KEY_RULE} ${prefix}`];
  }
  const name = second ?? first;
  const found = [];
  if (second !== undefined) {
    if (first === '') found.push('prefix part must be non-empty');
    else found.push(...subdomainFaults(first).map((fault) => `prefix part ${fault}`));
  }
  if (name === '') found.push('name part must be non-empty');
  else if (name.length > LABEL_LONGEST) found.push(`name part ${longest(LABEL_LONGEST)}`);
  if (!KEY.test(name)) found.push(`name part ${KEY_RULE}`);
  return found;
}

/** @param {string} [value] undefined for an absent name */
export function labelValueFaults(value = '') {
  return faults(value, LABEL_LONGEST, [VALUE.test(value), VALUE_RULE]);
}

/**
 * @param {string} value
 * @param {number} length the maximum
 * @param {[boolean, string]} rule whether it is met, and its message
 */
function faults(value, length, [isKept, words]) {
  return [...(value.length > length ? [longest(length)] : []), ...(isKept ? [] : [words])];
}

/**
 * @param {string} rule
 * @param {string} format
 * @param {...string} examples
 */
function withExamples(rule, format, ...examples) {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${quoted}regex used for validation is '${format}')`;
}

/** @param {number} length */
function longest(length) {
  return `must be no more than ${length} bytes`;
}
