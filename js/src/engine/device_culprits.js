/**
 * Says why the devices of nodes do not suffice for the claims of a pod: of each request, how many
 * devices each rule of DynamicResources leaves.
 */

/**
 * @import { Culprit, DeviceRefusal, DeviceRequest, Evaluation } from './types.js'
 */

const PLUGIN = 'DynamicResources';

/** The plugin's reason if the devices do not suffice. */
const LACKS = 'cannot allocate all claims';

/** The most characters of an expression in a sentence. */
const EXPRESSION_MAX = 100;

/** The most pods in a sentence about several nodes. */
const PODS_MAX = 5;

/**
 * The rules in their order, each with the head of its column and the sentence about `count`
 * devices.
 * @type {Record<DeviceRefusal['rule'], { head: string, text: (refusal: DeviceRefusal) => string }>}
 */
const RULES = Object.freeze({
  bindingConditions: {
    head: 'Conditions',
    text: ({ devices }) => `${devices} ${have(devices)} binding conditions, whose gates are off`,
  },
  classSelector: {
    head: 'Class',
    text: ({ devices }) => `${devices} ${are(devices)} not of the class`,
  },
  selector: {
    head: 'Selector',
    text: ({ devices, expression = '' }) =>
      `${devices} ${devices === 1 ? 'does' : 'do'} not match ${shortened(expression)}`,
  },
  node: {
    head: 'Node',
    text: ({ devices }) => `${devices} ${are(devices)} for other nodes`,
  },
  fault: {
    head: 'Error',
    text: ({ devices, device, message }) =>
      devices === 1
        ? `a selector fails for ${device} (${message})`
        : `a selector fails for ${devices}, first for ${device} (${message})`,
  },
  capacity: {
    head: 'Capacity',
    text: capacityText,
  },
  inUse: {
    head: 'In use',
    text: ({ devices, pods = [] }) =>
      `${devices} ${are(devices)} in use${pods.length > 0 ? ` by ${pods.join(', ')}` : ''}`,
  },
  counters: {
    head: 'Counters',
    text: (refusal) =>
      `${refusal.devices} ${need(refusal.devices)} counters that are taken${shortageText(refusal)}`,
  },
  taint: {
    head: 'Taint',
    text: ({ devices, taint }) =>
      `${devices} ${have(devices)} the taint ${taint && taintText(taint)}`,
  },
  constraint: {
    head: 'Constraint',
    text: ({ devices, matchAttribute, distinctAttribute }) =>
      `${devices} ${have(devices)} no attribute ${matchAttribute ?? distinctAttribute}`,
  },
});

/** The column of all rules that refuse a device only because of the other devices. */
const TOGETHER = 'Together';

/**
 * Of a taint of a node or a device.
 * @param {{ key: string, value?: string, effect: string }} taint
 */
export function taintText({ key, value, effect }) {
  return value === undefined ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}

/**
 * Returns a text for each request that the node cannot serve, each claim that is not available
 * there, and each resource pool that cannot be used.
 * @param {Culprit} culprit
 * @returns {string[]}
 */
export function deviceTexts({ deviceRequests = [], devicePools = [], unavailableClaims = [] }) {
  return [
    ...unservedOf(deviceRequests).map(requestText),
    ...unavailableClaims.map((claim) => `claim ${claim} is allocated, but not on this node`),
    ...devicePools.map(({ pool, problem }) =>
      problem === 'incomplete'
        ? `resource pool ${pool} is incomplete`
        : `resource pool ${pool} is invalid (${problem})`,
    ),
  ];
}

/**
 * `left` is parallel to the columns: the number of devices left after each rule. `mostBy`: the rule
 * that refuses most devices, of equal ones the last, with its expression, taint, attribute or
 * message; empty if the request lacks none, or no rule refuses one.
 * @typedef {{ node: string, request: DeviceRequest, left: number[], mostBy: string }} DevicesRow
 */

/**
 * Counts the devices that are left for each request, rule by rule. Rules that refuse nothing have
 * no column.
 * @param {Culprit[]} culprits
 * @returns {{ columns: string[], rows: DevicesRow[] }}
 */
export function devicesLeft(culprits) {
  const all = culprits.flatMap(({ node, deviceRequests = [] }) =>
    deviceRequests.map((request) => ({ node, request })),
  );
  const used = new Set(all.flatMap(({ request }) => request.refused.map(headOf)));
  const heads = [...Object.values(RULES).map(({ head }) => head), TOGETHER];
  const columns = heads.filter((head) => used.has(head));
  const rows = all.map(({ node, request }) => {
    let left = request.devices;
    const after = columns.map((column) => {
      for (const refusal of request.refused)
        if (headOf(refusal) === column) left -= refusal.devices;
      return left;
    });
    return { node, request, left: after, mostBy: refusedMostBy(request) };
  });
  return { columns, rows };
}

/**
 * Returns a sentence about each request that no node can serve. If more than 100 nodes refuse the
 * pod and it has several requests, the sentences are about the nearest 100. A request with
 * alternatives is named with each of them.
 * @param {Evaluation} evaluation with `culprits` and `everyNode`
 * @returns {string[]}
 */
export function unservedRequests(evaluation) {
  const { culprits = [], culpritsOmitted = 0, numAllNodes, preFilterResult } = evaluation;
  const nodes = new Set(culprits.map(({ node }) => node));
  const numNodes = preFilterResult?.length ?? numAllNodes ?? 0;
  if (nodes.size + culpritsOmitted < numNodes) return [];
  /** @type {Map<string, DeviceRequest[]>} */
  const byName = new Map();
  for (const { deviceRequests = [] } of culprits)
    for (const request of unservedOf(deviceRequests)) {
      const key = `${request.claim} ${request.request}`;
      byName.set(key, [...(byName.get(key) ?? []), request]);
    }
  const nearest = `the nearest ${nodes.size} nodes`;
  const numAbout = culpritsOmitted > 0 ? nearest : nodesText(nodes.size);
  const isAll = culpritsOmitted === 0 || (byName.size === 1 && lacksEverywhere(evaluation));
  const which = isAll ? 'No node' : `None of ${nearest}`;
  return [...byName.values()]
    .filter((requests) => requests.length === nodes.size)
    .map((requests) => `${which} can serve ${ofAllNodes(requests, numAbout)}.`);
}

/**
 * Whether devices are missing on every node: then a single request lacks them everywhere.
 * @param {Evaluation} evaluation
 */
function lacksEverywhere({ filter = [], numAllNodes, preFilterResult }) {
  const lacking = filter.filter(({ plugin, reasons }) => plugin === PLUGIN && reasons[0] === LACKS);
  const nodes = lacking.flatMap((group) => group.nodes);
  return nodes.length === (preFilterResult?.length ?? numAllNodes);
}

/** @param {DeviceRequest} request */
function refusedMostBy({ missing, refused }) {
  if (missing === 0 || refused.length === 0) return '';
  // Of equal ones the last: the devices came nearest to it.
  const most = refused.reduce((a, b) => (b.devices >= a.devices ? b : a));
  const { expression, message, taint, matchAttribute, distinctAttribute } = most;
  const { counterSet, counter, capacity } = most;
  const detail =
    (expression !== undefined && shortened(expression)) ||
    (taint && taintText(taint)) ||
    (counter !== undefined && `${counterSet}/${counter}`) ||
    (capacity ?? matchAttribute ?? distinctAttribute ?? message);
  const rule = RULES[most.rule].head.toLowerCase();
  return detail ? `${rule}: ${detail}` : rule;
}

/**
 * The requests of which no alternative can be served.
 * @param {DeviceRequest[]} requests
 */
function unservedOf(requests) {
  const served = new Set(requests.filter(({ missing }) => missing === 0).map(nameOfAll));
  return requests.filter((request) => !served.has(nameOfAll(request)));
}

/** The name that the alternatives of a request share. @param {DeviceRequest} request */
function nameOfAll({ claim, request }) {
  return `${claim} ${request.split('/')[0]}`;
}

/** @param {DeviceRequest} request */
function requestText(request) {
  const { devices, left, refused } = request;
  const why = refused.map(refusalText).join(', ');
  const asked = `${nameText(request)} asks for ${askedText(request)}`;
  if (devices === 0) return `${asked}, but the node has no devices`;
  return `${asked}, ${left} of ${devices} ${are(left)} left${why && `: ${why}`}`;
}

/**
 * @param {DeviceRequest[]} requests one request on each node
 * @param {string} on the nodes
 */
function ofAllNodes(requests, on) {
  const [first] = requests;
  const devices = requests.reduce((sum, request) => sum + request.devices, 0);
  const asked = `${nameText(first)} (${askedText(first)})`;
  if (devices === 0) return `${asked}: there are no devices`;
  const most = Math.max(...requests.map(({ left }) => left));
  const why = [
    ...refusedByAll(requests).map(refusalText),
    ...(most > 0 ? [`at most ${most} ${are(most)} left on one node`] : []),
  ];
  const all = devices === 1 ? '1 device' : `${devices} devices`;
  return `${asked}: of ${all} on ${on}, ${why.join(', ')}`;
}

/**
 * The refusals of all nodes, rule by rule, with the details of the one that refuses most.
 * @param {DeviceRequest[]} requests
 */
function refusedByAll(requests) {
  const all = requests.flatMap(({ refused }) => refused);
  return Object.keys(RULES).flatMap((rule) =>
    [false, true].flatMap((isTogether) => {
      const own = all.filter((one) => one.rule === rule && Boolean(one.isTogether) === isTogether);
      if (own.length === 0) return [];
      const most = own.reduce((a, b) => (b.devices > a.devices ? b : a));
      const devices = own.reduce((sum, one) => sum + one.devices, 0);
      const pods = own.flatMap((one) => one.pods ?? []).slice(0, PODS_MAX);
      return [{ ...most, devices, pods }];
    }),
  );
}

/** @param {DeviceRequest} request */
function nameText({ claim, request }) {
  return claim === undefined
    ? `request ${request} for extended resources`
    : `request ${request} of claim ${claim}`;
}

/** @param {DeviceRequest} request */
function askedText({ asked, deviceClass }) {
  const number = asked === 'All' ? 'all devices' : asked === 1 ? '1 device' : `${asked} devices`;
  return `${number} of class ${deviceClass}`;
}

/** @param {DeviceRefusal} refusal */
function refusalText(refusal) {
  return refusal.isTogether ? togetherText(refusal) : RULES[refusal.rule].text(refusal);
}

/** @param {DeviceRefusal} refusal */
function capacityText(refusal) {
  const { devices, capacity, asked, isAllowed, left } = refusal;
  if (capacity === undefined || left !== undefined)
    return `${devices} ${have(devices)} too little capacity${shortageText(refusal)}`;
  return isAllowed === false
    ? `${devices} ${devices === 1 ? 'does' : 'do'} not allow ${asked} of capacity ${capacity}`
    : `${devices} ${have(devices)} no capacity ${capacity}`;
}

/**
 * What is short, in brackets; empty if it is not known.
 * @param {DeviceRefusal} refusal
 */
function shortageText({ counterSet, counter, capacity, asked, left, pods = [] }) {
  if (left === undefined) return '';
  const name = counter === undefined ? capacity : `${counter} of set ${counterSet}`;
  const by = pods.length > 0 ? `, used by ${pods.join(', ')}` : '';
  return ` (${name}: ${asked} asked, ${left} left${by})`;
}

/** @param {DeviceRefusal} refusal */
function togetherText(refusal) {
  const { rule, devices, matchAttribute, distinctAttribute } = refusal;
  const differ = devices === 1 ? 'differs' : 'differ';
  if (matchAttribute !== undefined)
    return `${devices} ${differ} from the others in ${matchAttribute}`;
  if (distinctAttribute !== undefined)
    return `${devices} ${are(devices)} equal to others in ${distinctAttribute}`;
  return rule === 'inUse'
    ? `${devices} ${are(devices)} chosen for other requests of the pod`
    : `${devices} ${need(devices)} ${rule} that the pod's other devices take` +
        shortageText(refusal);
}

/** @param {DeviceRefusal} refusal */
function headOf({ rule, isTogether }) {
  return isTogether ? TOGETHER : RULES[rule].head;
}

/** @param {string} expression */
function shortened(expression) {
  const line = expression.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > EXPRESSION_MAX
    ? `${characters.slice(0, EXPRESSION_MAX).join('')}…`
    : line;
}

/** @param {number} count */
function nodesText(count) {
  return count === 1 ? 'one node' : `${count} nodes`;
}

/** @param {number} count */
function are(count) {
  return count === 1 ? 'is' : 'are';
}

/** @param {number} count */
function have(count) {
  return count === 1 ? 'has' : 'have';
}

/** @param {number} count */
function need(count) {
  return count === 1 ? 'needs' : 'need';
}
