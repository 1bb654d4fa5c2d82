/**
 * Keeps the files of the site, so that it opens without a network. What has its content's hash in
 * its name never changes; of all else the latest is asked for first.
 */

const CACHE = 'stowage-playground';

const scope = /** @type {any} */ (globalThis);
/** Of all files: the list is written before this text when the site is built. @type {string[]} */
const urls = scope.stowageFiles.map(
  (/** @type {string} */ file) => new URL(file, scope.registration.scope).href,
);
const assets = new URL('assets/', scope.registration.scope).href;

scope.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(keepAll());
});

scope.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(Promise.all([forgetOthers(), scope.clients.claim()]));
});

scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const url = urlOf(event.request);
  if (event.request.method !== 'GET' || !urls.includes(url)) return;
  event.respondWith(url.startsWith(assets) ? kept(url) : latest(url));
});

/** Without its query; a folder is its page. @param {Request} request */
function urlOf({ url }) {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/$/, '/index.html');
}

async function keepAll() {
  const cache = await caches.open(CACHE);
  const known = new Set((await cache.keys()).map(({ url }) => url));
  const missing = urls.filter((url) => !url.startsWith(assets) || !known.has(url));
  // What the page has loaded already is in the browser's own cache.
  const requests = missing.map(
    (url) => new Request(url, { cache: url.startsWith(assets) ? 'force-cache' : 'no-cache' }),
  );
  await cache.addAll(requests);
}

async function forgetOthers() {
  const cache = await caches.open(CACHE);
  const old = (await cache.keys()).filter(({ url }) => !urls.includes(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}

/** @param {string} url */
async function kept(url) {
  return (await caches.match(url)) ?? fetch(url);
}

/** @param {string} url */
async function latest(url) {
  try {
    const response = await fetch(url, { cache: 'no-cache' });
    if (response.ok) await (await caches.open(CACHE)).put(url, response.clone());
    return response;
  } catch (cause) {
    const response = await caches.match(url);
    if (response) return response;
    throw cause;
  }
}
