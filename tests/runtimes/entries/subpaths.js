/** The errors of the subpaths, by the classes that the main entry and the informers export. */
import * as stowage from 'stowage';
import { createAdmissionHandler } from 'stowage/admission';
import { createEdgeHandler } from 'stowage/edge';
import { createApiServer } from 'stowage/embedded-apiserver';
import { ApiError, createApiClient } from 'stowage/informer';
import { LeaderElectionLost } from 'stowage/live';
import { parse } from 'stowage/manifests';

const { BatchError, ConfigurationError, InputError, StowageError } = stowage;
const CLASSES = { ApiError, BatchError, ConfigurationError, InputError, StowageError };

/** @type {any} */
const ODD = { odd: true };

/** @returns {Promise<Record<string, string[]>>} by subpath, the classes of one of its errors */
export async function faultsOfSubpaths() {
  const { fetch } = createApiServer();
  const client = createApiClient({ baseUrl: 'http://cluster', fetch });
  const stranger = { apiVersion: 'v1', kind: 'Stranger', metadata: { name: 'a' } };
  return {
    informer: await classesOf(() => createApiClient(ODD)),
    'informer, of embedded-apiserver': await classesOf(() => client.json('/api/v1/nodes/none')),
    admission: await classesOf(() => createAdmissionHandler(ODD)),
    edge: await classesOf(() => createEdgeHandler(ODD)),
    'embedded-apiserver': await classesOf(() => createApiServer({ objects: [stranger] })),
    live: await classesOf(() => {
      throw new LeaderElectionLost({ lock: 'kube-system/stowage', holder: 'another' });
    }),
    manifests: await classesOf(() => parse('a: [')),
  };
}

/** The expected result, in every runtime. */
export const FAULTS = {
  informer: ['ConfigurationError', 'StowageError'],
  'informer, of embedded-apiserver': ['ApiError', 'StowageError'],
  admission: ['ConfigurationError', 'StowageError'],
  edge: ['ConfigurationError', 'StowageError'],
  'embedded-apiserver': ['InputError', 'StowageError'],
  live: ['StowageError'],
  manifests: ['BatchError', 'StowageError'],
};

/** @param {() => unknown} action @returns {Promise<string[]>} */
async function classesOf(action) {
  try {
    await action();
    return [];
  } catch (error) {
    const entries = Object.entries(CLASSES).filter(([, each]) => error instanceof each);
    return entries.map(([name]) => name);
  }
}
