/**
 * A scheduler extender in a process of its own: a small HTTP server with kube-scheduler's extender
 * protocol, which misbehaves on certain paths. It takes a port (0: any) as its argument and prints
 * the port it got.
 *
 * Its rules: a node is busy if its name ends in "-busy", broken if it ends in "-broken"; the score
 * is the last digit of the name; preemption is allowed on the first node by name; pods are bound
 * without telling the API server, except those whose name ends in "-refused". Under /slow answers
 * take a minute, under /garbage they are not JSON, under /hangup there is none, under /fail they
 * have the status 500, under /drip the body never ends.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

/** @param {any} args */
function filter({ Nodes, NodeNames }) {
  const names = NodeNames ?? Nodes.items.map((/** @type {any} */ node) => node.metadata.name);
  const ending = (/** @type {string} */ text) =>
    names.filter((/** @type {string} */ name) => name.endsWith(text));
  const passed = names.filter((/** @type {string} */ name) => !/-(busy|broken)$/.test(name));
  const why = (/** @type {string[]} */ some, /** @type {string} */ text) =>
    Object.fromEntries(some.map((name) => [name, text]));
  return {
    ...(NodeNames && { NodeNames: passed }),
    ...(Nodes && {
      Nodes: {
        items: Nodes.items.filter((/** @type {any} */ node) => passed.includes(node.metadata.name)),
      },
    }),
    FailedNodes: why(ending('-busy'), 'node(s) were busy'),
    FailedAndUnresolvableNodes: why(ending('-broken'), 'node(s) were broken'),
    Error: '',
  };
}

/** @param {any} args */
function prioritize({ Nodes, NodeNames }) {
  const names = NodeNames ?? Nodes.items.map((/** @type {any} */ node) => node.metadata.name);
  return names.map((/** @type {string} */ Host) => ({ Host, Score: Number(Host.at(-1)) || 0 }));
}

/** @param {any} args */
function preempt({ NodeNameToVictims, NodeNameToMetaVictims }) {
  const [name] = Object.keys(NodeNameToMetaVictims ?? NodeNameToVictims).sort();
  const { Pods, NumPDBViolations } = (NodeNameToMetaVictims ?? NodeNameToVictims)[name];
  const uids = Pods.map((/** @type {any} */ pod) => ({ UID: pod.UID ?? pod.metadata.uid }));
  return { NodeNameToMetaVictims: { [name]: { Pods: uids, NumPDBViolations } } };
}

/** @param {any} args */
function bind({ PodName, PodNamespace, PodUID, Node }) {
  const who = `${PodNamespace}/${PodName}`;
  if (!PodUID || !Node) return { Error: `${who} lacks a uid or a node` };
  return { Error: PodName.endsWith('-refused') ? `no seat for ${who} on ${Node}` : '' };
}

/** @type {Record<string, ((args: any) => any) | undefined>} */
const VERBS = { filter, prioritize, preempt, bind };

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return JSON.parse(text);
}

export const server = createServer(async (request, response) => {
  const path = String(request.url);
  const args = await bodyOf(request);
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') {
    response.writeHead(415).end();
  } else if (path.startsWith('/slow')) {
    setTimeout(() => response.end('{}'), 60_000).unref();
  } else if (path.startsWith('/garbage')) {
    response.end('<html>not what you wanted</html>');
  } else if (path.startsWith('/hangup')) {
    request.socket.destroy();
  } else if (path.startsWith('/fail')) {
    response.writeHead(500).end('{"Error":"down"}');
  } else if (path.startsWith('/drip')) {
    response.write('{"NodeNames":["');
  } else {
    const verb = VERBS[path.split('/').at(-1) ?? ''];
    response.writeHead(verb ? 200 : 404).end(verb && JSON.stringify(verb(args)));
  }
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    console.log(address.port);
  });
}
