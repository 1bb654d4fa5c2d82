/** The names by which users mean kinds and objects: `deploy/web`, `shop/web-0`. */
import { RESOURCES } from '../../kubernetes/kinds.js';
import { didYouMean, namesNear } from '../terminal/near_names.js';
import { UsageError } from '../terminal/problems.js';

/** Kinds by each name that kubectl accepts; the core group wins. @type {Map<string, string>} */
const KINDS = new Map(
  [...RESOURCES]
    .reverse()
    .flatMap(({ kind, singular, plural, shortNames }) =>
      [singular, plural, ...shortNames].map((name) => /** @type {const} */ ([name, kind])),
    ),
);

/**
 * Reads `kind/name` or `kind/namespace/name`.
 * @param {string} text
 * @param {{ flag: string, namespace: string }} options `namespace` of names without one
 * @returns {{ kind: string, namespace: string, name: string }}
 * @throws {UsageError}
 */
export function objectNamed(text, { flag, namespace }) {
  const [kind = '', ...path] = text.split('/');
  if (path.length < 1 || path.length > 2 || path.includes('') || kind === '')
    throw new UsageError(`--${flag} is KIND/[NAMESPACE/]NAME, not "${text}"`);
  const name = /** @type {string} */ (path.at(-1));
  return { kind: kindNamed(kind, flag), namespace: path.length === 2 ? path[0] : namespace, name };
}

/**
 * Reads the same, or a pod by `name`, or `namespace/name`.
 * @param {string} text
 * @param {{ flag: string, namespace: string }} options
 * @throws {UsageError}
 */
export function objectOrPodNamed(text, options) {
  const [first, second, ...more] = text.split('/');
  if (second === undefined) return objectNamed(`pod/${first}`, options);
  const isPod = more.length === 0 && !KINDS.has(first.toLowerCase());
  return objectNamed(isPod ? `pod/${text}` : text, options);
}

/**
 * @param {string} word
 * @param {string} flag
 * @returns {string}
 */
function kindNamed(word, flag) {
  const known = KINDS.get(word.toLowerCase());
  if (known) return known;
  const near = didYouMean(namesNear(word, [...KINDS.keys()]));
  throw new UsageError(`--${flag}: there is no kind "${word}"${near}`);
}
