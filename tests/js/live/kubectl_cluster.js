/**
 * A whole cluster without containers, and kubectl in front of it: the embedded API server with its
 * controllers behind HTTP, the scheduler live against it, and a folder that is kubectl's home.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { createApiServer } from '../../../js/src/embedded_apiserver.js';
import { CONTROLLERS } from '../../../js/src/embedded_apiserver/controllers/controllers.js';
import { kubelet } from '../../../js/src/embedded_apiserver/controllers/kubelet/kubelet.js';
import { createApiClient } from '../../../js/src/informer.js';
import { runScheduler } from '../../../js/src/live.js';
import { listen } from '../../../js/src/node.js';
import { systemClock } from '../../../js/src/runtimes/system_clock.js';
import { startWasm } from '../support/real_engine.js';

/** Where the manifests of the script are. */
const MANIFESTS = fileURLToPath(new URL('kubectl/', import.meta.url));

/** Nodes and pods that start and end at once. */
const TIMES = { startup: 50, completion: 50, shutdown: 50 };

/** One command, and what it gave. @typedef {{ out: string, err: string, code: number }} Outcome */

export class KubectlCluster {
  /** What went wrong without kubectl being told. @type {unknown[]} */
  faults = [];
  /** How many watches kubectl has begun. */
  watches = 0;
  /** @type {(() => unknown)[]} */
  #ends = [];
  /** @type {NodeJS.ProcessEnv} */
  #env = {};

  /**
   * @param {{ folder: string, program: string }} options a folder for everything that is written,
   *   and kubectl's file
   */
  async start({ folder, program }) {
    const url = await this.#serve();
    await this.#schedule(url);
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
       kubectl config set-context stowage --cluster=stowage --user=somebody &&
       kubectl config use-context stowage`,
    );
  }

  /** @returns {Promise<string>} the URL of the API server */
  async #serve() {
    const onError = (/** @type {unknown} */ error) => this.faults.push(error);
    const controllers = CONTROLLERS.filter((name) => name !== 'kubelet');
    const server = createApiServer({ controllers, gracefulDeletion: true, onError });
    this.#ends.push(() => server.dispose());
    this.#ends.push(kubelet({ onError, times: TIMES }).start(server.store, systemClock()));
    const counted = async (/** @type {Request} */ request) => {
      const response = await server.fetch(request);
      const isKubectl = request.headers.get('User-Agent')?.startsWith('kubectl/');
      if (isKubectl && new URL(request.url).searchParams.has('watch')) this.watches += 1;
      return response;
    };
    const listener = await listen(counted, { port: 0, onError });
    this.#ends.push(() => listener.close());
    return listener.url;
  }

  /** @param {string} url */
  async #schedule(url) {
    const { engine } = await startWasm();
    const client = createApiClient({ baseUrl: url });
    const stop = new AbortController();
    const live = runScheduler({
      client,
      engine,
      hostname: 'here',
      signal: stop.signal,
      onLog: (entry) => {
        if (entry.severity === 'error') this.faults.push(entry);
      },
    });
    this.#ends.push(async () => {
      stop.abort();
      await live.done;
      await client.close();
    });
    await live.scheduler;
  }

  /** Ends everything, the last first. */
  async stop() {
    for (const end of this.#ends.reverse()) await end();
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
   * The same of a command that ends when it is told to.
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
