/** The second configuration of a comparison, as a user writes it or the page stores it. */
import { InputError } from '../../../js/src/index.js';
import { parse, parseSingle, positionOf } from '../../../js/src/manifests.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { SchedulerSettings } from '../world/world.js'
 */

/**
 * The settings of the second scheduler.
 * @typedef {object} ComparedSettings
 * @property {string | object} [configuration] a KubeSchedulerConfiguration, YAML or JSON if a text;
 *   absent or empty: kube-scheduler's defaults
 * @property {string} [kubernetesVersion] absent: that of the scenario
 * @property {Record<string, boolean>} [featureGates] absent: those of the scenario
 */

/**
 * @param {ComparedSettings} settings
 * @returns {{ scheduler: SchedulerSettings, document?: KubernetesObject }} `document`: the parsed
 *   text with the positions of its fields
 * @throws {InputError} if the text cannot be parsed
 */
export function readSettings({ configuration, kubernetesVersion, featureGates }) {
  const own = {
    ...(kubernetesVersion && { kubernetesVersion }),
    ...(featureGates && { featureGates }),
  };
  if (typeof configuration !== 'string')
    return { scheduler: { ...(configuration && { configuration }), ...own } };
  // `read` refuses keys that appear twice; `parse` knows the positions.
  const read = parseSingle(configuration);
  if (read === undefined || read === null) return { scheduler: { ...own } };
  const documents = parse(configuration, {
    onError: (error) => {
      throw error;
    },
  });
  const [document] = documents;
  if (documents.length !== 1) throw new InputError(ONE);
  return { scheduler: { configuration: document, ...own }, document };
}

const ONE = { code: 'FieldValueInvalid', detail: 'one KubeSchedulerConfiguration is expected' };

/**
 * Adds to a configuration error the line of the first field that it names.
 * @param {any} error
 * @param {KubernetesObject | false} [document]
 * @returns {unknown}
 */
export function withLine(error, document) {
  const [first] = error?.errors ?? [];
  if (!document || !first?.field) return error;
  const { field } = first;
  const position = positionOf(document, field);
  const kind = 'KubeSchedulerConfiguration';
  const { code, message } = error;
  return new InputError({ code, kind, field, message, ...position }, { cause: error });
}
