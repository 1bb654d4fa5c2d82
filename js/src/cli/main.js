import { NOT_BUILT } from '../engine.js';
import { BatchError, ConfigurationError, EngineError, InputError, LoadError } from '../errors.js';
import { parseArguments, parseReplayArguments } from './arguments.js';
import { HELP, REPLAY_HELP, RUN_HELP, SIMULATE_HELP, UP_HELP } from './help.js';
import { MANIFEST } from './inputs.js';
import { BadInputError, EXIT, UsageError } from './problems.js';
import { replay } from './replay.js';
import { run } from './run.js';
import { parseRunArguments } from './run_arguments.js';
import { simulate } from './simulate.js';
import { up } from './up.js';
import { parseUpArguments } from './up_arguments.js';

/** @import { Engine } from '../engine.js' */

/**
 * What a command needs of its surroundings; tests give others.
 * @typedef {object} Host
 * @property {NodeJS.ReadableStream & { isTTY?: boolean }} stdin
 * @property {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stdout
 * @property {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stderr
 * @property {Record<string, string | undefined>} env
 * @property {() => Promise<Engine>} loadEngine
 * @property {() => Promise<Connections>} loadConnections loaded where they are needed
 * @property {() => { signal: AbortSignal, release: () => void }} untilStopped somebody wants the
 *   command to end; `release` when it has
 */

/**
 * What `stowage/node` has for those who speak to a cluster, and serve.
 * @typedef {Pick<typeof import('../node.js'), 'loadKubeconfig' | 'inClusterConfig' | 'listen'>}
 *   Connections
 */

/** How many errors of the input are printed. */
const SHOWN_ERRORS = 20;

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
    return explainError(error, host);
  }
}

/**
 * @param {string[]} argv
 * @param {Host} host
 */
async function dispatch([command, ...rest], host) {
  switch (command) {
    case undefined:
    case 'help':
    case '-h':
    case '--help':
      host.stdout.write(helpOn(rest[0]));
      return EXIT.yes;
    case 'version':
    case '--version': {
      const engine = await host.loadEngine();
      host.stdout.write(`stowage ${engine.version} (kube-scheduler ${engine.kubernetesVersion})\n`);
      return EXIT.yes;
    }
    case 'simulate': {
      const options = parseArguments(rest);
      if (options.help) host.stdout.write(SIMULATE_HELP);
      return options.help ? EXIT.yes : await simulate(options, host);
    }
    case 'replay': {
      const options = parseReplayArguments(rest);
      if (options.help) host.stdout.write(REPLAY_HELP);
      return options.help ? EXIT.yes : await replay(options, host);
    }
    case 'run': {
      const options = parseRunArguments(rest);
      if (options.help) host.stdout.write(RUN_HELP);
      return options.help ? EXIT.yes : await run(options, host);
    }
    case 'up': {
      const options = parseUpArguments(rest);
      if (options.help) host.stdout.write(UP_HELP);
      return options.help ? EXIT.yes : await up(options, host);
    }
    default:
      throw unknownCommand(command, rest);
  }
}

/** @param {string | undefined} command */
function helpOn(command) {
  if (command === 'simulate') return SIMULATE_HELP;
  if (command === 'replay') return REPLAY_HELP;
  if (command === 'run') return RUN_HELP;
  if (command === 'up') return UP_HELP;
  if (command === undefined || command === 'version' || command === 'help') return HELP;
  throw unknownCommand(command, []);
}

/**
 * @param {string} command
 * @param {string[]} rest
 */
function unknownCommand(command, rest) {
  const isFile = command === '-' || MANIFEST.test(command);
  const known = isFile
    ? `did you mean: stowage simulate ${[command, ...rest].join(' ')}?`
    : 'there are simulate, replay, run, up, version and help';
  return new UsageError(`unknown command "${command}"; ${known}`);
}

/**
 * Says what went wrong, and whose fault it is.
 * @param {unknown} error
 * @param {Host} host
 * @returns {number} the exit code
 */
function explainError(error, { stderr }) {
  const say = (/** @type {string} */ line) => stderr.write(`${line}\n`);
  if (error instanceof UsageError) {
    say(`error: ${error.message}`);
    say('See "stowage --help" and "stowage help COMMAND".');
    return EXIT.badInput;
  }
  if (error instanceof BadInputError) {
    for (const line of error.lines.slice(0, SHOWN_ERRORS)) say(`error: ${line}`);
    if (error.lines.length > SHOWN_ERRORS)
      say(`error: and ${error.lines.length - SHOWN_ERRORS} more`);
    return EXIT.badInput;
  }
  if (
    error instanceof InputError ||
    error instanceof BatchError ||
    error instanceof ConfigurationError
  ) {
    say(`error: ${error.message}`);
    return EXIT.badInput;
  }
  if (error instanceof LoadError && error.message === NOT_BUILT) {
    say(`error: ${error.message}`);
    return EXIT.ourFault;
  }
  if (error instanceof LoadError || error instanceof EngineError) {
    say(`error: ${error.message}`);
  } else {
    say(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  say('This is a fault of stowage, not of your input.');
  say('Please report it, with the command and its input.');
  return EXIT.ourFault;
}
