/**
 * Leaves out of the table of types what the page does not need: the numbers of protobuf, which its
 * API server does not read; the shape of plain strings; and the types of reviews and of admission
 * plugins, which it neither answers nor calls, and of networks, roles, autoscalers and leases,
 * which no decision reads. Objects of these kinds are stored as they are.
 */

const TABLE = 'js/apiserver/schema/kubernetes_types.js';

/** The blocks of these groups. */
const UNUSED = new RegExp(
  `^(kind|type) (${[
    ...['admissionregistration', 'authentication', 'authorization', 'autoscaling/v1.Cross'],
    ...['autoscaling/v1.Horizontal', 'autoscaling/v2', 'coordination', 'discovery'],
    ...['networking', 'rbac'],
  ].join('|')})`,
);

/** @returns {import('vite').Plugin} */
export function typesTablePlugin() {
  return {
    name: 'types-table',
    transform(code, id) {
      if (!id.endsWith(TABLE)) return null;
      const blocks = code.split(/\n(?=kind |type |`)/).filter((block) => !UNUSED.test(block));
      const lines = blocks.join('\n').replace(/ #[\d.]+$/gm, '');
      return { code: lines.replace(/^( \S+) string$/gm, '$1'), map: null };
    },
  };
}
