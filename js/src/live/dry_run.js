/**
 * Answers the calls of a scheduler that writes nothing, at once and as an API server does on
 * success. The records contain the decisions. A placed pod counts on its node from then on, until a
 * watch event says otherwise.
 */

/**
 * @import { Answer, Call } from '../engine/types.js'
 * @import { InProcessExtender } from '../plugins/extender_types.js'
 */

const UTF8 = new TextDecoder();

const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };

/**
 * @param {Call} call
 * @returns {Answer} for a write the object as it was sent, for a binding or deletion a Status
 */
export function answerDryRun({ verb, body }) {
  if (verb === 'bind') return { status: 201, body: JSON.stringify({ ...SUCCESS, code: 201 }) };
  if (verb === 'delete') return { status: 200, body: JSON.stringify(SUCCESS) };
  return { status: verb === 'create' ? 201 : 200, body: UTF8.decode(body) };
}

/**
 * Returns a `fetch` for extenders that passes on everything but bindings, which it answers itself.
 * @param {typeof fetch} inner
 * @param {string[]} bindUrls
 * @returns {typeof fetch}
 */
export function fetchWithoutBinding(inner, bindUrls) {
  return async (url, init) =>
    bindUrls.includes(String(url)) ? Response.json({}) : inner(url, init);
}

/**
 * The same for extenders in this process.
 * @param {Record<string, InProcessExtender>} extenders
 * @returns {Record<string, InProcessExtender>}
 */
export function extendersWithoutBinding(extenders) {
  return Object.fromEntries(
    Object.entries(extenders).map(([prefix, extender]) => {
      /** @type {Record<string, unknown>} */
      const asked = {};
      for (const verb of /** @type {const} */ (['filter', 'prioritize', 'preempt']))
        if (extender[verb]) asked[verb] = extender[verb].bind(extender);
      return [prefix, extender.bind ? { ...asked, bind: () => ({}) } : asked];
    }),
  );
}
