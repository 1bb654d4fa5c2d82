/**
 * Health checks over HTTP: `/healthz`, `/livez` and `/readyz`, each check below its own path.
 * Counterpart: apiserver/pkg/server/healthz, v1.36, as kube-scheduler installs it.
 */

/**
 * A check by its name; it returns the fault, or undefined.
 * @typedef {{ name: string, check: () => string | undefined }} HealthCheck
 */

const TEXT = Object.freeze({
  'Content-Type': 'text/plain; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
});

/** The check that is used if there is no other. @type {HealthCheck} */
const PING = { name: 'ping', check: () => undefined };

/**
 * Returns the response to a request below one of the paths.
 * @param {string} endpoint `healthz`, `livez` or `readyz`
 * @param {HealthCheck[]} checks
 * @param {URL} url of the request
 * @returns {Response} 200 or 500; only the check's own path gives the reason
 */
export function healthResponse(endpoint, checks, url) {
  const all = checks.length > 0 ? checks : [PING];
  const name = url.pathname.slice(endpoint.length + 2);
  if (name === '') return allChecks(endpoint, all, url.searchParams);
  const one = all.find((check) => check.name === name);
  if (!one) return new Response('404 page not found\n', { status: 404, headers: TEXT });
  const wrong = one.check();
  if (wrong === undefined) return new Response('ok', { headers: TEXT });
  return new Response(`internal server error: ${wrong}\n`, { status: 500, headers: TEXT });
}

/**
 * @param {string} endpoint
 * @param {HealthCheck[]} checks
 * @param {URLSearchParams} query `verbose`, and `exclude` with the name of a check
 */
function allChecks(endpoint, checks, query) {
  const excluded = new Set(query.getAll('exclude').flatMap((names) => names.split(',')));
  excluded.delete('');
  let isWell = true;
  const lines = checks.map(({ name, check }) => {
    if (excluded.delete(name)) return `[+]${name} excluded: ok\n`;
    if (check() === undefined) return `[+]${name} ok\n`;
    isWell = false;
    return `[-]${name} failed: reason withheld\n`;
  });
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((name) => JSON.stringify(name));
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(',')}\n`);
  }
  if (!isWell) {
    const text = `${lines.join('')}${endpoint} check failed\n`;
    return new Response(text, { status: 500, headers: TEXT });
  }
  const text = query.has('verbose') ? `${lines.join('')}${endpoint} check passed\n` : 'ok';
  return new Response(text, { headers: TEXT });
}
