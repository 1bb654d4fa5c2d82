/**
 * Deno: reads snapshots from `SNAPSHOTS_URL`, such as a bucket that a CronJob writes to, and reads
 * them again when they change. Pushing is disabled.
 */
import { env } from 'node:process';
import { createEdgeHandler, urlSnapshots } from 'stowage/edge';

export default createEdgeHandler({
  snapshots: urlSnapshots(env.SNAPSHOTS_URL ?? 'https://snapshots.example/{name}.json'),
  readSecret: env.READ_SECRET,
  limits: { refreshMs: Number(env.REFRESH_MS ?? 30_000) },
});
