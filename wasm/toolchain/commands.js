/** Starts other programs and waits for them. */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The most characters of a command that an error repeats; a list of files may be far longer. */
const COMMAND_SHOWN = 120;

/** A program could not be started, or failed. */
export class CommandError extends Error {
  /**
   * @param {string} command as typed in a shell
   * @param {string} reason
   */
  constructor(command, reason) {
    const shown = command.length > COMMAND_SHOWN ? `${command.slice(0, COMMAND_SHOWN)}…` : command;
    super(`${shown}: ${reason}`);
    this.name = 'CommandError';
    this.code = 'CommandFailed';
  }
}

/** @param {string} command @param {string[]} args */
export function asTyped(command, args) {
  const quote = (/** @type {string} */ word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  return [command, ...args].map(quote).join(' ');
}

/**
 * Runs a program on this terminal; resolves when it succeeds. `onLine`, if given, receives the
 * lines of both output streams instead.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void}} [options]
 * @returns {Promise<void>}
 */
export function run(command, args, { cwd, env, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: onLine ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    if (onLine) {
      splitLines(child.stdout, onLine);
      splitLines(child.stderr, onLine);
    }
    const fail = (/** @type {string} */ reason) =>
      reject(new CommandError(asTyped(command, args), reason));
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else fail(signal ? `ended by ${signal}` : `exit code ${code}`);
    });
  });
}

/**
 * Waits for all, even if one fails, so that none still runs during what comes next.
 *
 * @param {Promise<unknown>[]} actions
 * @throws the first fault, in the order of the actions
 */
export async function allOf(actions) {
  for (const result of await Promise.allSettled(actions)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

/** @param {import('node:stream').Readable | null} stream @param {(line: string) => void} onLine */
function splitLines(stream, onLine) {
  if (!stream) return;
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  });
  stream.on('end', () => {
    if (rest) onLine(rest);
  });
}

/**
 * The standard output of a program.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{env?: NodeJS.ProcessEnv}} [options]
 */
export function capture(command, args, { env } = {}) {
  const result = spawnSync(command, args, { env, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (result.error) throw new CommandError(asTyped(command, args), result.error.message);
  if (result.status !== 0) {
    throw new CommandError(
      asTyped(command, args),
      result.stderr.trim() || `exit code ${result.status}`,
    );
  }
  return result.stdout;
}

/**
 * The path of the program `name`, or null.
 *
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [env]
 */
export function which(name, env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
