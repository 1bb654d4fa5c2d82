/**
 * pods/binding: binds a pod to a node. Counterpart: `BindingREST` of pkg/registry/core/pod/storage,
 * v1.36.
 */
import { notSupported, required } from '../../src/kubernetes/field_errors.js';
import { isDryRun } from '../handlers/options.js';
import { viewFor } from '../handlers/read.js';
import { checkNamespace } from '../handlers/write.js';
import { decodeObject, readBody } from '../request_body.js';
import { jsonResponse } from '../responses.js';
import { badRequest, invalid } from '../../src/kubernetes/status_errors.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Exchange } from '../handlers/context.js'
 */

const BINDING = { apiVersion: 'v1', kind: 'Binding' };

const SUCCESS = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}';

/** @param {Exchange} exchange */
export async function createBinding(exchange) {
  const { server, info } = exchange;
  const { namespace, name, query } = info;
  // Rejects a client that accepts no response before anything is written.
  viewFor(exchange);
  const body = await readBody(exchange);
  const { object: binding } = decodeObject(BINDING, body, query.get('fieldValidation'));
  checkBinding(binding, name);
  checkNamespace(namespace, binding);
  server.store.bind(namespace, name, binding, { dryRun: isDryRun(query) });
  return jsonResponse(SUCCESS, { status: 201 });
}

/**
 * @param {KubernetesObject} binding
 * @param {string} name
 */
function checkBinding({ metadata, target }, name) {
  if (metadata?.name && metadata.name !== name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const kind = target?.kind ?? '';
  const errors = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(target?.name ? [] : [required('target.name')]),
  ];
  if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, name, errors);
}
