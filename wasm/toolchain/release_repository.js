/** The repository of a release, as the CI environment names it and as npm needs it. */

/** @param {NodeJS.ProcessEnv} env GitHub's or GitLab's @returns {string | undefined} its page */
export function repositoryOf({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, ...env }) {
  return server && name ? `${server}/${name}` : env.CI_PROJECT_URL;
}

/** In the form of package.json, with which a provenance is compared. @param {string} page */
export function repositoryField(page) {
  return { type: 'git', url: `git+${page}.git` };
}

/**
 * Whether two addresses belong to one repository, with any protocol and user.
 * @param {string} one
 * @param {string} other
 */
export function isSameRepository(one, other) {
  return placeOf(one) === placeOf(other);
}

/** @param {string} address `https://host/a/b`, `git+ssh://git@host/a/b.git`, `git@host:a/b.git` */
function placeOf(address) {
  const parts = /^(?:[\w+]+:\/\/)?(?:[^@/]*@)?([^:/]+(?::\d+)?)[:/](.+?)(?:\.git)?\/?$/;
  const [, host, path] = parts.exec(address) ?? [undefined, address, ''];
  return `${host}/${path}`.toLowerCase();
}

/**
 * Markdown with its links to files of the repository made absolute.
 * @param {string} text
 * @param {{ blob: string, place: string }} where `blob`: the address of a release's files; `place`:
 *   the path of the text itself
 */
export function withAbsoluteLinks(text, { blob, place }) {
  return text.replace(/\]\((?!\w+:|#)([^)]+)\)/g, (_, path) => {
    const { pathname } = new URL(path, new URL(place, 'file:///'));
    return `](${blob}${pathname})`;
  });
}
