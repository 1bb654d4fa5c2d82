/** Reads a KubeSchedulerConfiguration from a file. */
import { ConfigurationError, InputError } from '../../kubernetes/errors.js';
import { parseSingle } from '../../documents/documents.js';
import { readSource, shown } from './inputs.js';
import { conversionOf } from './old_configurations.js';
import { BadInputError } from '../terminal/problems.js';

/** @import { Host } from '../host.js' */

/**
 * Reads the file. JSON goes to the engine unchanged; YAML is converted to JSON first.
 * @param {string} name of the file, or - for standard input
 * @param {Host} host
 * @returns {Promise<{ bytes: Uint8Array | string, document: any }>} `document` is undefined if it
 *   is not JSON: the engine reports that
 * @throws {BadInputError}
 */
export async function readConfigurationFile(name, host) {
  const source = await readSource(name, host);
  const isJson = /^\s*\{/.test(source.text);
  const document = isJson ? looselyParsed(source.text) : parsedConfiguration(source);
  const hint = conversionOf(document);
  if (hint !== undefined) throw new BadInputError([`${source.name}: ${hint}`]);
  return { bytes: isJson ? source.bytes : JSON.stringify(document ?? {}), document };
}

/**
 * Returns a scheduler's error with the file at fault.
 * @param {unknown} error
 * @param {string | undefined} name of the configuration's file, or - for standard input
 * @returns {unknown} unchanged if it is no fault of a file
 */
export function configurationFault(error, name) {
  const isOfFile = error instanceof ConfigurationError && name !== undefined;
  return isOfFile ? new BadInputError([`${shown(name)}: ${error.message}`]) : error;
}

/** @param {{ name: string, text: string }} source */
function parsedConfiguration({ name, text }) {
  try {
    return parseSingle(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new BadInputError([
      `${name}: line ${error.line ?? 1}, column ${error.column ?? 1}: ${error.message}`,
    ]);
  }
}

/**
 * The engine reports its faults.
 * @param {string} text
 */
function looselyParsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
