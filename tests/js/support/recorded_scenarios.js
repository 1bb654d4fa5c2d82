/**
 * What an informer of one kind asks and gets until it has met a recorded list, watch or refusal,
 * and what it knows then.
 */
import { recorded } from './playback_server.js';
import { watchFrom, WITHOUT_WATCH_LIST } from './recorded_apiserver.js';

/**
 * @import { Kind } from '../../../js/src/kubernetes/watched_kinds.js'
 * @import { Exchange } from './playback_server.js'
 * @import { Asked, Manner } from './recorded_apiserver.js'
 */

/** @typedef {(manner: Manner) => (asked: Asked) => object | undefined} Server */

/**
 * `serve`: the recording is sent in that manner, for the first time only where it is torn;
 * `idleMs`: the longest silence that the informer bears in it; `end`: what its status has at the
 * end; `items`: the objects that there are then.
 * @typedef {object} Scenario
 * @property {string} name
 * @property {Exchange} exchange
 * @property {Kind} kind
 * @property {Server} serve
 * @property {number} idleMs
 * @property {object} end
 * @property {any[]} items
 */

/** How long informers bear silence: milliseconds. */
const INITIAL_EVENTS_IDLE_MS = 30_000;
const PAGE_IDLE_MS = 300_000;
const WATCH_IDLE_MS = 330_000;

const PAGES = ['list-pods-page-1', 'list-pods-page-2', 'list-pods-page-3'].map(recorded);
const TOKENS = PAGES.map(({ response }) => response.body.metadata.continue);
const PODS = PAGES.flatMap(({ response }) => response.body.items);

const played = (/** @type {Exchange} */ exchange) => ({ exchange });

/** @param {Exchange} exchange @returns {Kind} */
function kindOf({ request: { path } }) {
  const { pathname, searchParams } = new URL(path, 'http://api');
  const [root, ...segments] = pathname.split('/').slice(1);
  const group = root === 'api' ? '' : segments.shift();
  const [version] = segments;
  const resource = String(segments.at(-1));
  const fieldSelector = searchParams.get('fieldSelector') ?? '';
  return { group, version, resource, fieldSelector };
}

/** A manner of sending that breaks off is one for the first time. @param {Manner} manner */
function manners(manner) {
  let times = 0;
  return () => {
    times += 1;
    return times > 1 && manner.breakAt !== undefined ? {} : manner;
  };
}

/**
 * @param {any[]} items
 * @param {object} metadata
 * @param {{ apiVersion?: string, kind?: string }} [type] of the list; default: of the pods' pages
 * @returns {Exchange}
 */
function listOf(items, metadata, type) {
  const { request, response } = PAGES[0];
  return {
    request,
    response: { status: 200, body: { ...response.body, ...type, metadata, items } },
  };
}

/** The objects that are there after the events. @param {Exchange} exchange */
function objectsAfter({ frames = [] }) {
  const objects = new Map();
  for (const { frame } of frames) {
    const { uid } = frame.object.metadata;
    if (frame.type === 'DELETED') objects.delete(uid);
    else if (frame.type !== 'BOOKMARK') objects.set(uid, frame.object);
  }
  return [...objects.values()];
}

/**
 * A stream of events, from where the informer is.
 * @param {string} name
 * @param {Exchange} exchange
 */
function stream(name, exchange) {
  const frames = exchange.frames ?? [];
  const isWatchList = exchange.request.path.includes('sendInitialEvents=true');
  const [{ apiVersion, kind }] = frames.map(({ frame }) => frame.object);
  const empty = listOf([], { resourceVersion: '1' }, { apiVersion, kind: `${kind}List` });
  const { resourceVersion } = frames.at(-1)?.frame.object.metadata ?? {};
  return {
    idleMs: WATCH_IDLE_MS,
    end: { resourceVersion, state: 'watching' },
    items: objectsAfter(exchange),
    serve: (/** @type {Manner} */ manner) => {
      const next = manners(manner);
      return (/** @type {Asked} */ { query, isWatch }) => {
        if (query.sendInitialEvents)
          return isWatchList ? { exchange, ...next() } : played(WITHOUT_WATCH_LIST);
        if (!isWatch) return played(empty);
        return { exchange: watchFrom(exchange, query.resourceVersion), ...next() };
      };
    },
  };
}

/**
 * A list, or all pages of the one that it is a page of.
 * @param {string} name
 * @param {Exchange} exchange
 */
function list(name, exchange) {
  const isPage = name.startsWith('list-pods-page');
  const { items } = exchange.response.body;
  return {
    idleMs: PAGE_IDLE_MS,
    end: { state: 'watching' },
    items: isPage ? PODS : items,
    serve: (/** @type {Manner} */ manner) => {
      const next = manners(manner);
      return (/** @type {Asked} */ { query, isWatch }) => {
        if (query.sendInitialEvents) return played(WITHOUT_WATCH_LIST);
        if (isWatch) return undefined;
        const at = query.continue ? TOKENS.indexOf(query.continue) + 1 : 0;
        const page = isPage ? PAGES[at] : exchange;
        const isIt = page.request.path === exchange.request.path;
        return { exchange: page, ...(isIt && next()) };
      };
    },
  };
}

/** An API group that is not served. @param {string} name @param {Exchange} exchange */
function absent(name, exchange) {
  return {
    idleMs: INITIAL_EVENTS_IDLE_MS,
    end: { state: 'absent' },
    items: [],
    serve: (/** @type {Manner} */ manner) => {
      const next = manners(manner);
      return () => ({ exchange, ...next() });
    },
  };
}

/** A page whose token expired: the whole list. @param {string} name @param {Exchange} exchange */
function expiredToken(name, exchange) {
  return {
    idleMs: PAGE_IDLE_MS,
    end: { state: 'watching' },
    items: PODS,
    serve: (/** @type {Manner} */ manner) => {
      const next = manners(manner);
      return (/** @type {Asked} */ { query, isWatch }) => {
        if (query.sendInitialEvents) return played(WITHOUT_WATCH_LIST);
        if (isWatch) return undefined;
        if (query.continue) return { exchange, ...next() };
        return played(query.limit ? PAGES[0] : listOf(PODS, { resourceVersion: '992' }));
      };
    },
  };
}

/**
 * After a watch whose version expired, a list as new as that one is refused: the most recent.
 * @param {string} name
 * @param {Exchange} exchange
 */
function unavailableVersion(name, exchange) {
  const ended = recorded('watch-rv-expired-410');
  return {
    idleMs: PAGE_IDLE_MS,
    end: { state: 'watching', relists: 1 },
    items: PODS.slice(5),
    serve: (/** @type {Manner} */ manner) => {
      const next = manners(manner);
      let isOver = false;
      return (/** @type {Asked} */ { query, isWatch }) => {
        if (query.sendInitialEvents) return played(WITHOUT_WATCH_LIST);
        if (isWatch) return isOver ? undefined : played(ended);
        if (query.resourceVersion === '0') return played(listOf(PODS, { resourceVersion: '992' }));
        if (query.resourceVersion) return { exchange, ...next() };
        isOver = true;
        return played(listOf(PODS.slice(5), { resourceVersion: '993' }));
      };
    },
  };
}

/** A watch whose version expired: all is listed. @param {string} name @param {Exchange} exchange */
function expiredWatch(name, exchange) {
  return {
    idleMs: WATCH_IDLE_MS,
    end: { state: 'watching', relists: 1 },
    items: PODS.slice(5),
    serve: (/** @type {Manner} */ manner) => {
      const next = manners(manner);
      return (/** @type {Asked} */ { query, isWatch }) => {
        if (query.sendInitialEvents) return played(WITHOUT_WATCH_LIST);
        if (isWatch) return query.resourceVersion === '150' ? { exchange, ...next() } : undefined;
        if (query.resourceVersion === '0')
          return played(listOf(PODS.slice(0, 30), { resourceVersion: '150' }));
        return played(listOf(PODS.slice(5), { resourceVersion: '1072' }));
      };
    },
  };
}

/** A stream that has nothing but its bookmark. @param {string} name @param {Exchange} exchange */
function emptyStream(name, exchange) {
  const { body } = exchange.response;
  const { resourceVersion } = body.object.metadata;
  const open = { ...exchange, frames: [{ atMs: 0, frame: body }] };
  return {
    idleMs: INITIAL_EVENTS_IDLE_MS,
    end: { state: 'watching', resourceVersion },
    items: [],
    serve: (/** @type {Manner} */ manner) => {
      const next = manners(manner);
      return (/** @type {Asked} */ { query, isWatch }) => {
        if (query.sendInitialEvents) return { exchange: open, ...next() };
        if (isWatch) return undefined;
        return played(listOf([], { resourceVersion }));
      };
    },
  };
}

/** @type {Record<string, (name: string, exchange: Exchange) => Partial<Scenario>>} */
const ANSWERS = {
  'list-podgroups': absent,
  'list-continue-expired-410': expiredToken,
  'list-exact-rv-expired-410': unavailableVersion,
  'list-rv-in-future': unavailableVersion,
  'watch-rv-expired-410': expiredWatch,
  'watch-rv-too-old': expiredWatch,
  'watch-timeout-2s': emptyStream,
};

/**
 * @param {string} name of a recorded list or watch
 * @param {Exchange} [exchange] in place of the recorded one
 * @returns {Scenario}
 */
export function scenarioOf(name, exchange = recorded(name)) {
  const make = ANSWERS[name] ?? (exchange.frames ? stream : list);
  const { idleMs, end, items, serve } = make(name, exchange);
  return { name, exchange, kind: kindOf(exchange), idleMs, end, items, serve };
}
