/**
 * Field selectors: the selectable fields of each kind, and the parser of a query. Counterparts:
 * apimachinery/pkg/fields/selector.go and the label conversion functions of pkg/apis in v1.36.
 */
import { badRequest } from './status_errors.js';

/**
 * @import { KubernetesObject } from './types.js'
 * @import { Resource } from './kinds.js'
 */

/** @typedef {(object: any) => string | undefined} Field reads the field's value from an object */

/** @type {Record<string, Field>} */
const NAME = { 'metadata.name': ({ metadata }) => metadata.name };
/** @type {Record<string, Field>} */
const NAME_AND_NAMESPACE = { ...NAME, 'metadata.namespace': ({ metadata }) => metadata.namespace };

/** Kinds with selectable fields of their own. @type {Record<string, Record<string, Field>>} */
const FIELDS = {
  pods: {
    ...NAME_AND_NAMESPACE,
    'spec.nodeName': ({ spec }) => spec.nodeName,
    'spec.host': ({ spec }) => spec.nodeName,
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy,
    'spec.schedulerName': ({ spec }) => spec.schedulerName,
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName,
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status?.phase,
    'status.podIP': ({ status }) => status?.podIP,
    'status.podIPs': ({ status }) => status?.podIP,
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName,
  },
  nodes: { ...NAME, 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
  namespaces: { ...NAME, 'status.phase': ({ status }) => status?.phase },
  replicationcontrollers: {
    ...NAME_AND_NAMESPACE,
    'status.replicas': ({ status }) => String(status?.replicas ?? 0),
  },
  jobs: {
    ...NAME_AND_NAMESPACE,
    'status.successful': ({ status }) => String(status?.succeeded ?? 0),
  },
  secrets: { ...NAME_AND_NAMESPACE, type: ({ type }) => type },
  services: {
    ...NAME_AND_NAMESPACE,
    'spec.clusterIP': ({ spec }) => spec.clusterIP,
    'spec.type': ({ spec }) => spec.type,
  },
  resourceslices: {
    ...NAME,
    'spec.nodeName': ({ spec }) => spec.nodeName,
    'spec.driver': ({ spec }) => spec.driver,
  },
  events: {
    ...NAME_AND_NAMESPACE,
    reason: ({ reason }) => reason,
    type: ({ type }) => type,
    source: ({ source, reportingComponent }) => source?.component || reportingComponent,
    reportingComponent: ({ reportingComponent }) => reportingComponent,
    ...objectReference('involvedObject'),
  },
};

/** Events of events.k8s.io have other names for the same fields. @type {Record<string, Field>} */
const EVENTS_FIELDS = {
  ...NAME_AND_NAMESPACE,
  reason: FIELDS.events.reason,
  type: FIELDS.events.type,
  reportingController: FIELDS.events.reportingComponent,
  ...objectReference('regarding'),
};

/**
 * @param {string} prefix
 * @returns {Record<string, Field>}
 */
function objectReference(prefix) {
  const parts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  return Object.fromEntries(
    parts.map((part) => [`${prefix}.${part}`, ({ involvedObject }) => involvedObject?.[part]]),
  );
}

/** @typedef {{ field: string, of: Field, isEqual: boolean, value: string }} Term */

/** Terms that must all be met. */
export class FieldSelector {
  #terms;

  /** @param {Term[]} terms */
  constructor(terms) {
    this.#terms = terms;
  }

  /** Whether it selects all objects. */
  get isEmpty() {
    return this.#terms.length === 0;
  }

  /** The only name that it selects, if it requires one. */
  get name() {
    return this.#terms.find(({ field, isEqual }) => field === 'metadata.name' && isEqual)?.value;
  }

  /**
   * Returns this selector with an additional name.
   * @param {string} name
   */
  withName(name) {
    const field = 'metadata.name';
    return new FieldSelector([
      ...this.#terms,
      { field, of: NAME[field], isEqual: true, value: name },
    ]);
  }

  /** @param {KubernetesObject} object as stored */
  matches(object) {
    return this.#terms.every(
      ({ of, isEqual, value }) => ((of(object) ?? '') === value) === isEqual,
    );
  }
}

/**
 * Parses the `fieldSelector` of a query.
 * @param {Resource} resource
 * @param {string} text
 * @returns {FieldSelector}
 * @throws {import('./api_error.js').ApiError} 400 in the server's words
 */
export function parseFieldSelector(resource, text) {
  const own = resource.group === 'events.k8s.io' ? EVENTS_FIELDS : FIELDS[resource.plural];
  const known = own ?? NAME_AND_NAMESPACE;
  const terms = termsIn(text).map((term) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field, operator, value] = match;
    const of = Object.hasOwn(known, field) ? known[field] : undefined;
    if (!of) throw unsupported(resource, field, own !== undefined);
    return { field, of, isEqual: operator !== '!=', value: unescaped(value) };
  });
  return new FieldSelector(terms);
}

/**
 * @param {Resource} resource
 * @param {string} field
 * @param {boolean} hasOwnFields kinds without selectable fields have another message
 */
function unsupported({ plural }, field, hasOwnFields) {
  if (!hasOwnFields) {
    const known = '"metadata.name", "metadata.namespace"';
    return badRequest(`"${field}" is not a known field selector: only ${known}`);
  }
  if (plural === 'jobs') return badRequest(`field label "${field}" not supported for batchv1.Job`);
  return badRequest(`field label not supported: ${field}`);
}

/**
 * Returns the parts between commas; a comma after a backslash belongs to a value.
 * @param {string} text
 */
function termsIn(text) {
  return text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
}

/** @param {string} value */
function unescaped(value) {
  return value.replace(/\\(.?)|([,=])/gs, (all, escapedCharacter, bare) => {
    if (bare) {
      const code = bare.codePointAt(0);
      throw badRequest(`invalid field selector: unescaped character in value: ${code}`);
    }
    if (!'\\,='.includes(escapedCharacter) || escapedCharacter === '') {
      throw badRequest(`invalid field selector: invalid escape sequence: ${all}`);
    }
    return escapedCharacter;
  });
}
