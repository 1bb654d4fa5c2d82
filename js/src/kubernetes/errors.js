/**
 * The errors of this package are StowageErrors: a sentence in `message`, a stable word in `code`,
 * and `toStatus()` for HTTP responses. Each class sets its `name`, because bundlers rename classes.
 */

import { wordsOf } from './values.js';

/**
 * @import { ApplyResult, ErrorDocument, InputErrorFields, FieldError, KubernetesObject, Status,
 *   StatusCause } from './types.js'
 */

/**
 * The base of all errors of this package.
 */
export class StowageError extends Error {
  /** @override */
  name = 'StowageError';

  /**
   * @param {string} code a stable word such as `InvalidConfiguration`
   * @param {string} message a sentence
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }

  /**
   * The error as a `metav1.Status`: `status: Failure`, an HTTP `code`, a `reason`, and the causes.
   * @returns {Status}
   */
  toStatus() {
    return failure(this, 500, 'InternalError');
  }
}

/** HTTP code and Status reason of the input errors that are not field errors. */
const INPUT_STATUS = Object.freeze({
  MalformedJson: [400, 'BadRequest'],
  MalformedYaml: [400, 'BadRequest'],
  InvalidUtf8: [400, 'BadRequest'],
  TooDeep: [400, 'BadRequest'],
  UnknownKind: [400, 'BadRequest'],
  TooLarge: [413, 'RequestEntityTooLarge'],
  TooManySteps: [504, 'Timeout'],
  ModuleMissing: [503, 'ServiceUnavailable'],
});

/**
 * An object or text that cannot be read, or a question that cannot be answered. `code` is
 * `MalformedJson`, `MalformedYaml`, `InvalidUtf8`, `TooLarge`, `TooDeep`, `UnknownKind`,
 * `TooManySteps` (an evaluation beyond its `maxSteps`), `ModuleMissing` (of devices, without
 * `stowage.deferred.wasm`), `UnknownField` and `DuplicateField` (of strict validation), `Forbidden`
 * and `Invalid` (a change that the API server refuses), or Kubernetes' `FieldValueRequired`,
 * `FieldValueInvalid`, `FieldValueTypeInvalid`, `FieldValueDuplicate`, `FieldValueNotSupported`.
 * Unknown facts are absent. `document`, `line` and `column` (of a text) count from 1, `index` (in a
 * batch) from 0.
 */
export class InputError extends StowageError {
  /** @override */
  name = 'InputError';

  /**
   * @param {InputErrorFields} fields
   * @param {{ cause?: unknown }} [options]
   */
  constructor(fields, options) {
    super(fields.code, fields.message ?? describe(fields), options);
    this.detail = fields.detail;
    this.apiVersion = fields.apiVersion;
    this.kind = fields.kind;
    this.namespace = fields.namespace;
    /** The object's name (`error.name` is the class, as for every Error). */
    this.objectName = fields.name;
    /** As in `spec.containers[0].resources.requests[cpu]`. */
    this.field = fields.field;
    this.value = fields.value;
    this.document = fields.document;
    this.line = fields.line;
    this.column = fields.column;
    this.index = fields.index;
  }

  /** @override */
  toStatus() {
    const [code, reason] = INPUT_STATUS[/** @type {keyof INPUT_STATUS} */ (this.code)] ?? [
      422,
      'Invalid',
    ];
    return failure(this, Number(code), String(reason), {
      kind: this.kind,
      name: this.objectName,
      causes: [causeOf(this)],
    });
  }

  /** The plain data of the error, for JSON and structured clones. @returns {InputErrorFields} */
  toJSON() {
    const {
      code,
      message,
      detail,
      apiVersion,
      kind,
      namespace,
      field,
      value,
      document,
      line,
      column,
      index,
    } = this;
    const name = this.objectName;
    return defined({
      code,
      message,
      detail,
      apiVersion,
      kind,
      namespace,
      name,
      field,
      value,
      document,
      line,
      column,
      index,
    });
  }
}

/**
 * Some objects of a batch could not be read; all others were applied. `errors` holds one InputError
 * each, `result` the result of the rest.
 */
export class BatchError extends StowageError {
  /** @override */
  name = 'BatchError';

  /**
   * @param {InputError[]} errors
   * @param {ApplyResult | KubernetesObject[]} result of `apply`, or the objects of `parse`
   */
  constructor(errors, result) {
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super('InputErrors', `${errors[0]?.message}${more}`, { cause: errors[0] });
    this.errors = errors;
    this.result = result;
  }

  /** @override */
  toStatus() {
    const first = this.errors[0]?.toStatus();
    return failure(this, first?.code ?? 422, first?.reason ?? 'Invalid', {
      causes: this.errors.map(causeOf),
    });
  }
}

/**
 * The configuration or an option is invalid. The message is kube-scheduler's own; `errors` names
 * the fields.
 */
export class ConfigurationError extends StowageError {
  /** @override */
  name = 'ConfigurationError';

  /**
   * @param {string} message
   * @param {FieldError[]} [errors]
   */
  constructor(message, errors = []) {
    super('InvalidConfiguration', message);
    this.errors = errors;
  }

  /** @override */
  toStatus() {
    const causes = this.errors.map(({ field, detail }) =>
      defined({ reason: 'FieldValueInvalid', message: detail, field }),
    );
    return failure(this, 422, 'Invalid', { kind: 'KubeSchedulerConfiguration', causes });
  }
}

/** A method was called after the scheduler was disposed. */
export class DisposedError extends StowageError {
  /** @override */
  name = 'DisposedError';

  /** @param {string} [message] */
  constructor(message = 'this scheduler was disposed of') {
    super('Disposed', message);
  }

  /** @override */
  toStatus() {
    return failure(this, 503, 'ServiceUnavailable');
  }
}

/**
 * A plugin threw, or returned an invalid value. In a cycle it becomes an Error status with this
 * message, and `onPluginError` gets it with its `cause`; errors of `create` are thrown.
 */
export class PluginError extends StowageError {
  /** @override */
  name = 'PluginError';

  /** @param {{ plugin: string, point: string, pod?: string, cause: unknown }} parts */
  constructor({ plugin, point, pod, cause }) {
    const about = pod === undefined ? '' : ` for pod ${pod}`;
    const message = `plugin "${plugin}" failed in ${point}${about}: ${wordsOf(cause)}`;
    super('PluginThrew', message, { cause });
    this.plugin = plugin;
    this.point = point;
    /** `namespace/name`; undefined outside a cycle. */
    this.pod = pod;
  }
}

/**
 * An extender has to be awaited: use `evaluateAsync`. If the cluster changes faster than the
 * extender answers, retry later.
 */
export class WaitError extends StowageError {
  /** @override */
  name = 'WaitError';

  /**
   * @param {string} url the URL of the outstanding request
   * @param {string} [message]
   */
  constructor(url, message = `the extender at ${url} has to be asked first: use evaluateAsync`) {
    super('MustWait', message);
    this.url = url;
  }

  /** @override */
  toStatus() {
    return failure(this, 503, 'ServiceUnavailable');
  }
}

/**
 * The WebAssembly module could not be fetched, compiled or started, or does not belong to this
 * code.
 */
export class LoadError extends StowageError {
  /** @override */
  name = 'LoadError';

  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super('LoadFailed', message, options);
  }

  /** @override */
  toStatus() {
    return failure(this, 503, 'ServiceUnavailable');
  }
}

/**
 * A log that cannot be replayed. `code` is `Diverged` (the engine's decisions or output differ),
 * `LogMalformed`, `LogTruncated`, `LogVersion`, or, for a scheduler after a replay,
 * `PluginsMissing`.
 */
export class ReplayError extends StowageError {
  /** @override */
  name = 'ReplayError';

  /**
   * @param {{ code: string, line?: number, detail?: string, seq?: number, expected?: string,
   *   actual?: string }} fields
   */
  constructor({ code, line, detail, seq, expected, actual }) {
    const where = line === undefined ? '' : `line ${line} of the log: `;
    const number = seq === undefined ? '' : `, record ${seq}`;
    const difference = `expected ${expected ?? 'no decision'}, got ${actual ?? 'no decision'}`;
    super(code, `${where}${detail ?? `the replay diverges${number}: ${difference}`}`);
    /** From 1, the header. */
    this.line = line;
    /** Of the last decision of the turn that differs; absent if only other output differs. */
    this.seq = seq;
    this.expected = expected;
    this.actual = actual;
  }

  /** @override */
  toStatus() {
    return failure(this, 422, 'Invalid');
  }
}

/**
 * A bug in this package: the engine stopped itself. The message contains the place. Every scheduler
 * of the engine throws the same error from then on; create a new engine.
 */
export class EngineError extends StowageError {
  /** @override */
  name = 'EngineError';

  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super('Internal', message, options);
  }
}

/**
 * Creates the error that the engine described in JSON, as an instance of its class.
 * @param {ErrorDocument} document
 * @returns {StowageError}
 */
export function errorFromDocument(document) {
  switch (document.class) {
    case 'InputError':
      return inputErrorFromEngine(document);
    case 'StowageError':
      return document.code === 'LoadFailed'
        ? new LoadError(document.message ?? '')
        : new StowageError(document.code ?? 'Unknown', document.message ?? '');
    case 'ConfigurationError':
      return new ConfigurationError(document.message ?? 'invalid configuration', document.errors);
    default:
      return new EngineError(document.message ?? `the engine failed: ${JSON.stringify(document)}`);
  }
}

/**
 * The engine's message starts with the field; the object's name is put before it.
 * @param {InputErrorFields} fields
 * @returns {InputError}
 */
export function inputErrorFromEngine({ message, ...fields }) {
  const prefix = `${fields.field}: `;
  const detail = message?.startsWith(prefix) ? message.slice(prefix.length) : message;
  return new InputError({ detail, ...fields });
}

/**
 * `Pod default/web-0: spec.nodeName: …`, as far as the parts are known.
 * @param {InputErrorFields} fields
 */
function describe(fields) {
  const name = fields.name && fields.namespace ? `${fields.namespace}/${fields.name}` : fields.name;
  const who = [fields.kind, name].filter(Boolean).join(' ');
  return [who, fields.field, fields.detail ?? fields.code].filter(Boolean).join(': ');
}

/**
 * @param {InputError} error
 * @returns {StatusCause}
 */
function causeOf(error) {
  return defined({
    reason: error.code,
    message: error.detail ?? error.message,
    field: error.field,
  });
}

/**
 * @param {Error} error
 * @param {number} code
 * @param {string} reason
 * @param {Status['details']} [details]
 * @returns {Status}
 */
function failure(error, code, reason, details) {
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: error.message,
    reason,
    ...(details && { details: defined(details) }),
    code,
  };
}

/**
 * Returns the object without undefined members.
 * @template {object} T
 * @param {T} fields
 * @returns {T}
 */
function defined(fields) {
  return /** @type {T} */ (
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  );
}
