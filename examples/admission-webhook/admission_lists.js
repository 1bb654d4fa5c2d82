/**
 * The objects with which admission completes pods of templates. They are few, so all of them are
 * listed again every minute.
 */

/** @typedef {import('stowage/admission').AdmissionOptions} AdmissionOptions */

/** Their paths on the API server, by the name of the handler's option. */
const PATHS = {
  priorityClasses: '/apis/scheduling.k8s.io/v1/priorityclasses',
  limitRanges: '/api/v1/limitranges',
  runtimeClasses: '/apis/node.k8s.io/v1/runtimeclasses',
};

const PERIOD_MS = 60_000;

/**
 * Options of the handler, which look up objects in the latest lists.
 * @param {{ json(path: string): Promise<any> }} client
 * @param {(error: unknown) => void} onError gets the error if a list could not be read again
 * @returns {Promise<Pick<AdmissionOptions, keyof typeof PATHS>>}
 */
export async function admissionLists(client, onError) {
  const entries = Object.entries(PATHS);
  /** @type {Record<string, any[]>} */
  const lists = {};
  const read = () =>
    Promise.all(
      entries.map(async ([name, path]) => {
        lists[name] = (await client.json(path)).items;
      }),
    );
  await read();
  setInterval(() => void read().catch(onError), PERIOD_MS).unref();
  return Object.fromEntries(entries.map(([name]) => [name, () => lists[name]]));
}
