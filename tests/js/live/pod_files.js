/**
 * Imported before a program, this gives it the files of a pod: what it reads by the absolute paths
 * of a container's mounts is below the folder that POD_ROOT names.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const MOUNTS = ['/etc/stowage/', '/var/run/secrets/kubernetes.io/serviceaccount/'];

/** @param {unknown} path */
function placeOf(path) {
  const isMounted = MOUNTS.some((mount) => String(path).startsWith(mount));
  return isMounted ? join(String(process.env.POD_ROOT), String(path)) : path;
}

const promises = /** @type {Record<string, any>} */ (fs.promises);
for (const name of ['access', 'readFile', 'stat']) {
  const original = promises[name];
  promises[name] = (/** @type {unknown} */ path, /** @type {unknown[]} */ ...rest) =>
    original(placeOf(path), ...rest);
}
syncBuiltinESMExports();
