/**
 * Lines of a table: the first column to the left, all others to the right.
 * @param {string[][]} rows  the first one holds the heads
 */
export function alignColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(([head, ...cells]) => [
    head.padEnd(widths[0]),
    ...cells.map((cell, at) => cell.padStart(widths[at + 1])),
  ]);
  return lines.map((line) => line.join('   ').trimEnd()).join('\n');
}
