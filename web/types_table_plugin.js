/** Leaves the numbers of protobuf out of the table of types: the page's API server reads none. */

const TABLE = 'js/apiserver/schema/kubernetes_types.js';

/** @returns {import('vite').Plugin} */
export function typesTablePlugin() {
  return {
    name: 'types-table',
    transform(code, id) {
      return id.endsWith(TABLE) ? { code: code.replace(/ #[\d.]+$/gm, ''), map: null } : null;
    },
  };
}
