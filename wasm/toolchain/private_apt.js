/**
 * Downloads Debian packages of any suite without root and without changing the machine's own
 * packages: apt-get runs with an empty state of its own. The archive's address, proxies and
 * credentials are the machine's; the suite's signed Release file and its hashes authenticate the
 * files.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { capture, CommandError, run } from './commands.js';
import { checkIndex } from './package_index.js';
import { say, SetupError } from './report.js';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const TARGET_FORMAT = '$(ORIGIN)|$(CODENAME)|$(REPO_URI)';

/** Documentation, translations and library variants that no build here uses. */
const LEFT_OUT = [
  './usr/share/doc/*',
  './usr/share/man/*',
  './usr/share/locale/*',
  './usr/share/emscripten/test/*',
  './usr/lib/llvm-*/build/*',
  './usr/lib/*/gconv/*',
  '*/cache/sysroot/lib/wasm32-emscripten/*pic*',
  '*/cache/sysroot/lib/wasm32-emscripten/lto*',
  '*/cache/sysroot/lib/wasm32-emscripten/thinlto*',
  '*/cache/sysroot/lib/wasm64*',
];

/**
 * The address of the Debian archive in the machine's apt sources. A machine that never fetched its
 * package lists knows no origins; there, any archive except the security archive is taken.
 *
 * @param {string} targets  lines of TARGET_FORMAT
 * @returns {string | null}
 */
export function archiveAddress(targets) {
  const rows = targets
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [origin, codename, address] = line.split('|');
      return { origin, codename, address };
    })
    .filter((row) => row.address && !`${row.codename}${row.address}`.includes('-security'));
  const known = rows.find((row) => row.origin === 'Debian');
  const unknown = rows.find((row) => !row.origin || row.origin.startsWith('$('));
  return (known ?? unknown)?.address ?? null;
}

/**
 * @param {string} text  what `apt-get download --print-uris` prints
 * @returns {{file: string, bytes: number, sha256: string}[]}
 */
export function parseUris(text) {
  return [...text.matchAll(/^'[^']*' (\S+) (\d+) SHA256:([0-9a-f]{64})$/gm)].map(
    ([, file, bytes, sha256]) => ({ file, bytes: Number(bytes), sha256 }),
  );
}

/** The packages of one suite, in a folder of their own. */
export class PrivateApt {
  #folder;
  #suite;
  #architecture;

  /** @param {{folder: string, suite: string, architecture: string}} options */
  constructor({ folder, suite, architecture }) {
    this.#folder = folder;
    this.#suite = suite;
    this.#architecture = architecture;
  }

  /**
   * Fetches the suite's package lists.
   *
   * @returns {Promise<{date: Date, validUntil: Date | null}>} the dates in the signed index
   * @throws {SetupError} if the index is not current
   */
  async update() {
    const targets = capture('apt-get', [
      'indextargets',
      '--format',
      TARGET_FORMAT,
      'Created-By: Packages',
    ]);
    const address = archiveAddress(targets);
    if (!address) {
      throw new SetupError("apt's sources name no Debian archive.");
    }
    if (!existsSync(KEYRING)) {
      throw new SetupError("Debian's archive keys are missing: install debian-archive-keyring.");
    }
    this.#writeConfiguration(address);
    say(`package lists of Debian ${this.#suite} from ${address}`);
    await this.#quietly('apt-get', ['update']);
    return this.#checkIndex();
  }

  #checkIndex() {
    const lists = join(this.#folder, 'lists');
    const [name, ...others] = readdirSync(lists).filter((entry) => entry.endsWith('_InRelease'));
    if (!name || others.length > 0) {
      throw new SetupError(`apt keeps no single signed index of Debian ${this.#suite}.`);
    }
    const text = readFileSync(join(lists, name), 'utf8');
    const index = checkIndex(text, { suite: this.#suite, now: new Date() });
    const until = index.validUntil ? `, valid until ${index.validUntil.toISOString()}` : '';
    say(`its index is of ${index.date.toISOString()}${until}`);
    return index;
  }

  /** @param {string} address */
  #writeConfiguration(address) {
    for (const name of ['lists/partial', 'archives/partial', 'debs']) {
      mkdirSync(join(this.#folder, name), { recursive: true });
    }
    const file = (/** @type {string} */ name) => join(this.#folder, name);
    writeFileSync(file('status'), '');
    writeFileSync(
      file('sources.list'),
      `deb [signed-by=${KEYRING} arch=${this.#architecture}] ${address} ${this.#suite} main\n`,
    );
    // Read after the machine's own settings. package_index.js checks the index's dates.
    writeFileSync(
      file('apt.conf'),
      `#clear APT::Update;
#clear APT::Default-Release;
#clear APT::Architectures;
#clear DPkg;
APT::Architecture "${this.#architecture}";
APT::Architectures "${this.#architecture}";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Check-Date "false";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::Etc::sourcelist "${file('sources.list')}";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "${this.#folder}";
Dir::State::status "${file('status')}";
Dir::Cache "${this.#folder}";
`,
    );
  }

  /** @param {string} command @param {string[]} args @returns {[string, string[]]} */
  #withConfiguration(command, args) {
    return [command, ['-c', join(this.#folder, 'apt.conf'), ...args]];
  }

  /**
   * Runs a command; prints its output only if it fails.
   * @param {string} command
   * @param {string[]} args
   */
  async #quietly(command, args) {
    /** @type {string[]} */
    const lines = [];
    try {
      await run(...this.#withConfiguration(command, args), { onLine: (line) => lines.push(line) });
    } catch (error) {
      throw new CommandError(
        `${command} ${args.join(' ')} (Debian ${this.#suite})`,
        lines.join('\n'),
      );
    }
  }

  /** @param {string} name @returns {string} the package's control fields */
  show(name) {
    return capture(...this.#withConfiguration('apt-cache', ['show', '--no-all-versions', name]));
  }

  /**
   * The named packages and their dependencies, without dependencies that are only virtual.
   *
   * @param {string[]} names
   */
  withDependencies(names) {
    const kinds = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];
    const args = ['depends', '--recurse', ...kinds.map((kind) => `--no-${kind}`), ...names];
    const text = capture(...this.#withConfiguration('apt-cache', args));
    return [...new Set(text.split('\n').filter((line) => /^[a-z0-9]/.test(line)))];
  }

  /**
   * Downloads the files that are missing; continues interrupted downloads.
   *
   * @param {string[]} names
   * @returns {Promise<string[]>} the packages' files
   */
  async download(names) {
    const folder = join(this.#folder, 'debs');
    const uris = capture(
      ...this.#withConfiguration('apt-get', ['download', '--print-uris', ...names]),
    );
    const wanted = parseUris(uris);
    const missing = [];
    for (const entry of wanted) {
      if (!(await hasHash(join(folder, entry.file), entry.sha256))) missing.push(entry);
    }
    if (missing.length > 0) {
      const bytes = missing.reduce((sum, entry) => sum + entry.bytes, 0);
      say(`${missing.length} packages to download, ${megabytes(bytes)}`);
      await this.#downloadInto(folder, missing);
    }
    return wanted.map((entry) => join(folder, entry.file));
  }

  /** @param {string} folder @param {{file: string, bytes: number, sha256: string}[]} missing */
  async #downloadInto(folder, missing) {
    let count = 0;
    for (const entry of missing) {
      const [name, version] = entry.file.replace(/_[^_]*$/, '').split('_');
      say(`${++count}/${missing.length} ${name}, ${megabytes(entry.bytes)}`);
      const exact = `${name}=${decodeURIComponent(version)}`;
      await run(...this.#withConfiguration('apt-get', ['-qq', 'download', exact]), { cwd: folder });
      if (!(await hasHash(join(folder, entry.file), entry.sha256))) {
        throw new CommandError(`apt-get download ${exact}`, `${entry.file} is missing or differs`);
      }
    }
  }

  /** Removes everything that `update` and `download` fetched. */
  forget() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {string} file @param {string} sha256 */
async function hasHash(file, sha256) {
  if (!existsSync(file)) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex') === sha256;
}

/**
 * Unpacks package files below `root`, without their documentation.
 *
 * @param {string[]} files
 * @param {string} root
 */
export async function unpack(files, root) {
  mkdirSync(root, { recursive: true });
  for (const file of files) await unpackOne(file, root);
}

/** @param {string} file @param {string} root */
async function unpackOne(file, root) {
  const reader = spawn('dpkg-deb', ['--fsys-tarfile', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const excludes = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);
  const writer = spawn('tar', ['-x', '--no-same-owner', '-C', root, ...excludes], {
    stdio: [reader.stdout, 'inherit', 'inherit'],
  });
  const codes = await Promise.all([reader, writer].map(exitCode));
  if (codes.some((code) => code !== 0)) {
    throw new CommandError(
      `dpkg-deb --fsys-tarfile ${file} | tar -x`,
      `exit codes ${codes.join(', ')}`,
    );
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
}
