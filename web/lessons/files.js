/** The files that lessons name, made of the data that the repository has. */
import { readNodes, readPods } from '../../examples/openb/convert.js';

/** @import { KubernetesObject } from '../../js/src/index.js' */

/** Pods of the trace that come before the first chapter ends. */
const FIRST_PODS = 2000;

/**
 * @param {string} name
 * @returns {Promise<KubernetesObject[]>}
 */
export async function readLessonFile(name) {
  const read = FILES[name];
  if (!read) throw new Error(`no lesson has a file ${name}`);
  return read();
}

/** @type {Record<string, () => KubernetesObject[]>} */
const FILES = {
  'openb-nodes.json': readNodes,
  'openb-first-pods.json': () => openbPods().slice(0, FIRST_PODS),
  'openb-other-pods.json': () => openbPods().slice(FIRST_PODS),
};

/**
 * Every file as a v1 List: what a site has next to the lessons.
 * @returns {{ name: string, text: string }[]}
 */
export function lessonFiles() {
  return Object.entries(FILES).map(([name, read]) => {
    const list = { apiVersion: 'v1', kind: 'List', items: read() };
    return { name, text: JSON.stringify(list) };
  });
}

/** An API server wants an image, and limits of what cannot be overcommitted. */
function openbPods() {
  return /** @type {KubernetesObject[]} */ (readPods('default')).map(
    ({ metadata, spec, ...pod }) => {
      const [{ resources, ...container }] = spec.containers;
      const gpus = resources.requests['nvidia.com/gpu'];
      const limits = gpus && { limits: { 'nvidia.com/gpu': gpus } };
      const main = { ...container, image: 'job', resources: { ...resources, ...limits } };
      return { ...pod, metadata: { name: metadata.name }, spec: { ...spec, containers: [main] } };
    },
  );
}
