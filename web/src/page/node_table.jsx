/** @import { ComponentChildren } from 'preact' */

/**
 * A table with a row for each node, which scrolls in its own frame.
 * @param {{ title: string, label: string, heads: string[], omitted: number, children:
 *   ComponentChildren }} props `omitted`: how many nodes have no row; `children`: the rows
 */
export function NodeTable({ title, label, heads, omitted, children }) {
  return (
    <>
      <h3>{title}</h3>
      <div class="table" tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {['Node', ...heads].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {omitted > 0 && <p>and {omitted} more nodes</p>}
    </>
  );
}
