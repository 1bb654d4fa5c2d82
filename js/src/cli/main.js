import { NOT_BUILT } from '../engine/engine.js';
import {
  BatchError,
  ConfigurationError,
  EngineError,
  InputError,
  LoadError,
} from '../kubernetes/errors.js';
import { printableLines } from '../engine/printable.js';
import { COMMANDS } from './commands.js';
import { MANIFEST } from './input/directories.js';
import { formatManual, overview } from './arguments/manual.js';
import { didYouMean, namesNear } from './terminal/near_names.js';
import { BadInputError, errorLines, EXIT, UsageError } from './terminal/problems.js';
import { say } from './terminal/terminal.js';

/** @import { Host } from './host.js' */

const HELP = ['help', '-h', '--help'];

/**
 * Runs one command line.
 * @param {string[]} argv without the program's name
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function main(argv, host) {
  try {
    return await dispatch(argv, host);
  } catch (error) {
    return explainError(error, argv, host);
  }
}

/**
 * @param {string[]} argv
 * @param {Host} host
 */
async function dispatch([name, ...rest], host) {
  if (name === undefined || HELP.includes(name)) {
    host.stdout.write(helpOn(rest[0]));
    return EXIT.yes;
  }
  const command = commandNamed(name === '--version' ? 'version' : name, rest);
  const running = command.run(rest, host);
  if (running === null) host.stdout.write(formatManual(command.manual));
  return running ?? EXIT.yes;
}

/** @param {string | undefined} name */
function helpOn(name) {
  if (name === undefined || HELP.includes(name))
    return overview(COMMANDS.map(({ manual }) => manual));
  return formatManual(commandNamed(name, []).manual);
}

/**
 * @param {string} name
 * @param {string[]} rest the arguments after it
 * @throws {UsageError}
 */
function commandNamed(name, rest) {
  const command = COMMANDS.find(({ manual }) => manual.name === name);
  if (command) return command;
  const names = COMMANDS.map(({ manual }) => manual.name);
  const isFile = name === '-' || MANIFEST.test(name);
  const known = isFile
    ? `; did you mean: stowage simulate ${[name, ...rest].join(' ')}?`
    : didYouMean(namesNear(name, [...names, 'help'])) || `; there are ${names.join(', ')} and help`;
  throw new UsageError(`unknown command "${name}"${known}`);
}

/**
 * Returns the manual that a usage error refers to.
 * @param {string[]} argv
 */
function manualOf([name]) {
  const isKnown = COMMANDS.some(({ manual }) => manual.name === name);
  return isKnown ? `See "stowage help ${name}".` : 'See "stowage --help".';
}

/**
 * Prints an error, and whether the input or this program is at fault.
 * @param {unknown} error
 * @param {string[]} argv
 * @param {Host} host
 * @returns {number} the exit code
 */
function explainError(error, argv, { stderr }) {
  const printLine = (/** @type {string} */ line) => say(stderr, line);
  if (error instanceof UsageError) {
    printLine(`error: ${error.message}`);
    printLine(manualOf(argv));
    return EXIT.badInput;
  }
  if (error instanceof BadInputError) {
    [...errorLines(error.lines), ...error.hints].forEach(printLine);
    return EXIT.badInput;
  }
  if (
    error instanceof InputError ||
    error instanceof BatchError ||
    error instanceof ConfigurationError
  ) {
    printLine(`error: ${error.message}`);
    return EXIT.badInput;
  }
  if (error instanceof LoadError && error.message === NOT_BUILT) {
    printLine(`error: ${error.message}`);
    return EXIT.ourFault;
  }
  if (error instanceof LoadError || error instanceof EngineError) {
    printLine(`error: ${error.message}`);
  } else {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`error: ${printableLines(text)}\n`);
  }
  printLine('This is a bug in stowage, not a fault of your input.');
  printLine('Please report it, with the command and its input.');
  return EXIT.ourFault;
}
