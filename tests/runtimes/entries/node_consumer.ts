// Code of a user whose cluster configuration is read by Node, and who serves from there.
import { createApiClient, type ApiClient } from 'stowage/informer';
import { inClusterConfig, listen, loadKubeconfig, type Listening } from 'stowage/node';

export async function connect(path?: string): Promise<ApiClient> {
  return createApiClient(await (path ? loadKubeconfig(path) : inClusterConfig()));
}

export async function serve(key: Uint8Array, cert: string): Promise<string> {
  const handler = ({ url }: Request) => new Response(url);
  const tls = { key: Buffer.from(key), cert };
  const server: Listening = await listen(handler, { port: 0, tls });
  await server.close();
  return server.url;
}

// @ts-expect-error a port is needed
listen(() => new Response(), {});
// @ts-expect-error answers are Responses
listen(() => 'fine', { port: 0 });
