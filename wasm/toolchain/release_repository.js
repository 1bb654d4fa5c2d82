/** Of which repository a release is: what CI says, and what is told npm of it. */

/** @param {NodeJS.ProcessEnv} env GitHub's or GitLab's @returns {string | undefined} its page */
export function repositoryOf({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, ...env }) {
  return server && name ? `${server}/${name}` : env.CI_PROJECT_URL;
}

/** As package.json has it, and a provenance is compared with it. @param {string} page */
export function repositoryField(page) {
  return { type: 'git', url: `git+${page}.git` };
}

/**
 * Whether two addresses are of one repository, whoever asks and by which protocol.
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
 * Markdown whose links to files of the repository are addresses.
 * @param {string} text
 * @param {{ blob: string, place: string }} where `blob`: the address of the files of a release;
 *   `place`: the path of the text itself
 */
export function withAbsoluteLinks(text, { blob, place }) {
  return text.replace(/\]\((?!\w+:|#)([^)]+)\)/g, (_, path) => {
    const { pathname } = new URL(path, new URL(place, 'file:///'));
    return `](${blob}${pathname})`;
  });
}
