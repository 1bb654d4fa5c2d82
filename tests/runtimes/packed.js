/** The package as npm installs it, in projects of their own, so that its exports are used. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { capture } from '../../wasm/toolchain/commands.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { SetupError } from '../../wasm/toolchain/report.js';

const FOLDER = join(repository, 'build/runtimes');
/** The name of a folder with a packed package. */
const STATE = /[/\\][0-9a-f]{16}$/;
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

/**
 * Packs the package and unpacks it into the node_modules of an otherwise empty folder, again only
 * if one of its files has changed. `makeProject` adds the files of tests below it.
 *
 * @returns {string} the folder
 */
export function packedPackage() {
  for (const made of ['js/dist/stowage.wasm', 'js/types/src/index.d.ts', 'build/web/index.html']) {
    if (existsSync(join(repository, made))) continue;
    throw new SetupError(`no ${made} yet; run: npm run build:web && npm run check`);
  }
  const folder = join(FOLDER, stateOf(packedFiles()));
  if (existsSync(folder)) return folder;
  mkdirSync(FOLDER, { recursive: true });
  const unfinished = mkdtempSync(join(FOLDER, 'packing-'));
  const modules = join(unfinished, 'node_modules');
  mkdirSync(join(modules, 'stowage'), { recursive: true });
  // Without scripts: the test has already checked that the build exists.
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', unfinished];
  const [{ filename }] = JSON.parse(npm(args));
  const archive = join(unfinished, filename);
  capture('tar', ['-xzf', archive, '--strip-components=1', '-C', join(modules, 'stowage')]);
  for (const name of Object.keys(manifest.dependencies)) {
    cpSync(join(repository, 'node_modules', name), join(modules, name), { recursive: true });
  }
  writeFileSync(join(unfinished, 'package.json'), '{"private":true,"type":"module"}\n');
  finish(unfinished, folder);
  return folder;
}

/** @typedef {{ folder: string, root: string, remove: () => void }} Project */

/**
 * A project in which the package is installed.
 *
 * @param {Record<string, URL | string>} files by name: a file or folder to copy, or text
 * @returns {Project} `folder` holds the files, `root`, somewhere above it, the node_modules
 */
export function makeProject(files) {
  const root = packedPackage();
  const folder = mkdtempSync(join(root, 'project-'));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content instanceof URL) cpSync(fileURLToPath(content), path, { recursive: true });
    else writeFileSync(path, content);
  }
  return { folder, root, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** npm's output. @param {string[]} args */
function npm(args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: repository, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/**
 * Another process may have been faster. Older packages are deleted.
 * @param {string} unfinished
 * @param {string} folder
 */
function finish(unfinished, folder) {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  const isEarlier = (/** @type {string} */ path) => STATE.test(path) && path !== folder;
  const siblings = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  for (const path of siblings.filter(isEarlier)) rmSync(path, { recursive: true, force: true });
}

/** Every file below the entries of `files` in package.json. @returns {string[]} */
function packedFiles() {
  return ['package.json', ...manifest.files].flatMap((name) => {
    const path = join(repository, name);
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((file) => join(path, file))
      .filter((file) => statSync(file).isFile());
  });
}

/** @param {string[]} files @returns {string} a hash of their contents */
function stateOf(files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
