/**
 * Lines of a table: the first column is aligned left, all others right.
 * @param {string[][]} rows the first one has the headings
 */
export function alignColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(([head, ...cells]) => [
    head.padEnd(widths[0]),
    ...cells.map((cell, at) => cell.padStart(widths[at + 1])),
  ]);
  return lines.map((line) => line.join('   ').trimEnd()).join('\n');
}
