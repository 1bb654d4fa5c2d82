/**
 * ResourceClaims and ResourceClaimTemplates.
 * Counterpart: pkg/apis/resource/validation/validation.go, v1.36.
 */
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';
import {
  classNameErrors,
  configurationErrors,
  fullyQualifiedNameErrors,
  IMMUTABLE,
  labelErrors,
  listErrors,
  MOST_ENTRIES,
  selectorsErrors,
  tolerationsErrors,
} from './device_fields.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 * @import { StrategyContext } from '../strategies/strategy.js'
 */

const MODES = ['All', 'ExactCount'];
const MOST_ALTERNATIVES = 8;

/** The label of namespaces whose claims may ask for admin access. */
const ADMIN_ACCESS = 'resource.kubernetes.io/admin-access';

const NOT_A_REQUEST =
  'must be the name of a request in the claim or the name of a request and a subrequest ' +
  "separated by '/'";
const ONE_FORM = 'exactly one of `exactly` or `firstAvailable` is required';
const ONE_ATTRIBUTE =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

/**
 * @param {KubernetesObject} claim
 * @param {StrategyContext} context
 */
export function resourceClaimErrors({ metadata, spec = {} }, context) {
  return [...adminErrors(metadata, spec, context), ...claimSpecErrors(spec, 'spec')];
}

/**
 * The spec never changes.
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} old
 */
export function specUpdateErrors({ spec }, { spec: old }) {
  return isEqual(spec, old) ? [] : [invalidValue('spec', spec, IMMUTABLE)];
}

/**
 * @param {KubernetesObject} template
 * @param {StrategyContext} context
 */
export function resourceClaimTemplateErrors({ metadata, spec: { spec = {} } = {} }, context) {
  return [...adminErrors(metadata, spec, context), ...claimSpecErrors(spec, 'spec.spec')];
}

/**
 * Claims in most namespaces may not ask for access to devices that others use.
 * @param {KubernetesObject['metadata']} metadata
 * @param {any} spec of a claim
 * @param {StrategyContext} context
 */
function adminErrors({ namespace = '' }, { devices }, context) {
  const requests = devices?.requests ?? [];
  const index = requests.findIndex((/** @type {any} */ { exactly }) => exactly?.adminAccess);
  if (index < 0) return [];
  const field = `spec.devices.requests[${index}].exactly.adminAccess`;
  return adminAccessErrors(namespace, field, context);
}

/**
 * Refuses admin access in a namespace without the label. The objects of a file are not checked: its
 * namespaces may be missing.
 * @param {string} namespace
 * @param {string} field
 * @param {StrategyContext} context
 */
export function adminAccessErrors(namespace, field, { store, isLoaded }) {
  const found = isLoaded ? undefined : store.get('namespaces', '', namespace);
  if (!found || found.metadata.labels?.[ADMIN_ACCESS] === 'true') return [];
  const detail =
    `admin access to devices requires the \`${ADMIN_ACCESS}: true\` label on the containing ` +
    'namespace';
  return [forbiddenField(field, detail)];
}

/**
 * @param {any} spec
 * @param {string} path
 * @returns {FieldError[]}
 */
function claimSpecErrors({ devices = {} }, path) {
  const names = requestNames(devices);
  const field = `${path}.devices`;
  return [
    ...listErrors(devices.requests, {
      field: `${field}.requests`,
      most: MOST_ENTRIES,
      errorsOf: requestErrors,
      keyOf: ({ name }) => name,
    }),
    ...listErrors(devices.constraints, {
      field: `${field}.constraints`,
      most: MOST_ENTRIES,
      errorsOf: (constraint, at) => constraintErrors(constraint, at, names),
    }),
    ...listErrors(devices.config, {
      field: `${field}.config`,
      most: MOST_ENTRIES,
      errorsOf: (config, at) => [
        ...requestRefsErrors(config.requests, `${at}.requests`, names),
        ...configurationErrors(config, at),
      ],
    }),
  ];
}

/**
 * Returns the names by which results, constraints and configurations refer to requests: `request`,
 * and `request/subrequest`.
 * @param {any} devices of a claim's spec
 * @returns {Set<string>}
 */
export function requestNames({ requests }) {
  return new Set(
    (requests ?? []).flatMap((/** @type {any} */ { name = '', firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((/** @type {any} */ one) => `${name}/${one.name ?? ''}`),
    ]),
  );
}

/**
 * @param {string[] | undefined} references
 * @param {string} field
 * @param {Set<string>} names
 */
export function requestRefsErrors(references, field, names) {
  return listErrors(references, {
    field,
    most: MOST_ENTRIES,
    errorsOf: (name, at) => requestRefErrors(name, at, names),
    keyOf: (name) => name,
  });
}

/**
 * @param {string | undefined} name
 * @param {string} field
 * @param {Set<string>} names
 * @returns {FieldError[]}
 */
export function requestRefErrors(name = '', field, names) {
  const segments = name.split('/');
  if (segments.length > 2) return [invalidValue(field, name, NOT_A_REQUEST)];
  return [
    ...segments.flatMap((segment) => labelErrors(segment, field)),
    ...(names.has(name) ? [] : [invalidValue(field, name, NOT_A_REQUEST)]),
  ];
}

/**
 * @param {any} request
 * @param {string} path
 * @returns {FieldError[]}
 */
function requestErrors({ name, exactly, firstAvailable = [] }, path) {
  const nameErrors = labelErrors(name, `${path}.name`);
  if (!exactly && firstAvailable.length === 0) return [...nameErrors, required(path, ONE_FORM)];
  if (exactly && firstAvailable.length > 0) {
    const detail = `${ONE_FORM}, but multiple fields are set`;
    return [...nameErrors, invalidValue(path, undefined, detail)];
  }
  if (exactly) return [...nameErrors, ...amountErrors(exactly, `${path}.exactly`)];
  return [
    ...nameErrors,
    ...listErrors(firstAvailable, {
      field: `${path}.firstAvailable`,
      most: MOST_ALTERNATIVES,
      errorsOf: (one, at) => [...labelErrors(one.name, `${at}.name`), ...amountErrors(one, at)],
      keyOf: (one) => one.name,
    }),
  ];
}

/**
 * The class, the number and the properties of the wanted devices.
 * @param {any} request
 * @param {string} path
 * @returns {FieldError[]}
 */
function amountErrors({ deviceClassName, selectors, tolerations, ...request }, path) {
  return [
    ...classNameErrors(deviceClassName, `${path}.deviceClassName`),
    ...selectorsErrors(selectors, `${path}.selectors`),
    ...countErrors(request, path),
    ...tolerationsErrors(tolerations, `${path}.tolerations`),
  ];
}

/**
 * @param {any} request
 * @param {string} path
 */
function countErrors({ allocationMode = '', count = 0 }, path) {
  const field = `${path}.count`;
  switch (allocationMode) {
    case 'All': {
      const detail = "must not be specified when allocationMode is 'All'";
      return count === 0 ? [] : [invalidValue(field, count, detail)];
    }
    case 'ExactCount':
      return count > 0 ? [] : [invalidValue(field, count, 'must be greater than zero')];
    default:
      return [notSupported(`${path}.allocationMode`, allocationMode, MODES)];
  }
}

/**
 * @param {any} constraint
 * @param {string} path
 * @param {Set<string>} names
 * @returns {FieldError[]}
 */
function constraintErrors({ requests, ...constraint }, path, names) {
  const errors = requestRefsErrors(requests, `${path}.requests`, names);
  const kind = ['matchAttribute', 'distinctAttribute'].find((one) => constraint[one] != null);
  if (!kind) return [...errors, required(path, ONE_ATTRIBUTE)];
  return [...errors, ...fullyQualifiedNameErrors(constraint[kind], `${path}.${kind}`)];
}
