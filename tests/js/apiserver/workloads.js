/** Objects that tests create, and their reasons for refusal. */

export const inDefault = { namespace: 'default' };

/** @param {object} spec @param {object} [labels] */
export function workload(spec, labels = { app: 'web' }) {
  return {
    metadata: { name: 'web', ...inDefault },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
      ...spec,
    },
  };
}

/** Returns the message of a refusal after the name. @param {() => unknown} write */
export function refusalOf(write) {
  try {
    write();
  } catch (/** @type {any} */ error) {
    return error.message.replace(/^[\w.]+ "[^"]*" is (invalid|forbidden): /, '');
  }
  return 'taken';
}
