/**
 * `stowage up` without nodes, and kubectl in front of it: the command as it is, with all that it
 * starts by default, and a folder that is kubectl's home.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { listen } from '../../../js/src/node.js';
import { startWasm } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

/** Where the manifests of the script are. */
const MANIFESTS = fileURLToPath(new URL('kubectl/', import.meta.url));

/** One command, and what it gave. @typedef {{ out: string, err: string, code: number }} Outcome */

export class KubectlCluster {
  /** How many watches kubectl has begun. */
  watches = 0;
  #stop = new AbortController();
  /** What the command gave when it ended. @type {Promise<{ code: number, stderr: string }>} */
  #ended = Promise.resolve({ code: 0, stderr: '' });
  /** @type {NodeJS.ProcessEnv} */
  #env = {};

  /**
   * @param {{ folder: string, program: string }} options a folder for everything that is written,
   *   and kubectl's file
   */
  async start({ folder, program }) {
    const url = await this.#up();
    const kubeconfig = `${folder}/kubeconfig`;
    await symlink(program, `${folder}/kubectl`);
    this.#env = {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      KUBECONFIG: kubeconfig,
      KUBECACHEDIR: `${folder}/cache`,
      LC_ALL: 'C',
    };
    await this.run(
      `kubectl config set-cluster stowage --server=${url} &&
       kubectl config set-context stowage --cluster=stowage --user=someone &&
       kubectl config use-context stowage`,
    );
  }

  /** @returns {Promise<string>} the URL of the API server */
  async #up() {
    const { engine } = await startWasm();
    /** @type {(url: string) => void} */
    let greet;
    const greeted = new Promise(
      (/** @type {(url: string) => void} */ resolve) => (greet = resolve),
    );
    // A cluster that serves pod groups has their features.
    const gates = [
      ...['GenericWorkload', 'GangScheduling'],
      ...['TopologyAwareWorkloadScheduling', 'WorkloadAwarePreemption'],
    ];
    const flags = ['--feature-gates', gates.map((gate) => `${gate}=true`).join(',')];
    const argv = ['up', '--port', '0', '--quiet', ...flags, '--filename', '-'];
    this.#ended = runCli(argv, {
      stdin: '',
      loadEngine: async () => engine,
      connections: { listen: this.#listen },
      signal: this.#stop.signal,
      onWrite: (_stderr, stdout) => greet(stdout.trim()),
    });
    const refused = this.#ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
    return Promise.race([greeted, refused]);
  }

  /** Counts the watches of kubectl. @type {typeof listen} */
  #listen = (handler, options) => {
    const counted = async (/** @type {any} */ request) => {
      const response = await handler(request);
      const isKubectl = request.headers.get('User-Agent')?.startsWith('kubectl/');
      if (isKubectl && new URL(request.url).searchParams.has('watch')) this.watches += 1;
      return response;
    };
    return listen(counted, options);
  };

  /** Ends the command. What it wrote to stderr are faults that kubectl was not told. */
  async stop() {
    this.#stop.abort();
    return this.#ended;
  }

  /**
   * Runs a line of a shell where the manifests are.
   * @param {string} command
   * @returns {Promise<Outcome>}
   */
  run(command) {
    return this.spawn(command).ended;
  }

  /**
   * The same of a command that ends when it is killed.
   * @param {string} command
   * @returns {{ outcome: Outcome, ended: Promise<Outcome>, kill: () => void }} `outcome` grows
   */
  spawn(command) {
    const child = spawn('sh', ['-c', command], {
      cwd: MANIFESTS,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const outcome = { out: '', err: '', code: 0 };
    child.stdout.setEncoding('utf8').on('data', (text) => (outcome.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (outcome.err += text));
    const ended = once(child, 'close').then(([code]) => {
      outcome.code = code ?? 0;
      return outcome;
    });
    // The shell and what it started.
    return { outcome, ended, kill: () => process.kill(-Number(child.pid)) };
  }
}
