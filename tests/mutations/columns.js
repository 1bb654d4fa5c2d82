/** Mistakes that are likely in the columns of nodes and in what fills entries from them. */

const CYCLES = { program: 'runtime', tests: 'VerdictCache.*' };
const COLUMNS = { program: 'plugins', tests: 'UseShares.*' };

/** @type {import('./list.js').Mutation[]} */
export const COLUMN_MUTATIONS = [
  {
    name: 'a changed row is missing in the change log',
    file: 'core/table/node_table.cc',
    search: 'if (!is_unchanged) changes_.Append',
    replace: 'if (!is_unchanged && row != 0) changes_.Append',
    ...CYCLES,
  },
  {
    name: 'a node that is listed anew is missing in the change log',
    file: 'core/table/node_table.cc',
    search: '(*slots_)[row];\n    changes_.Append(slot);',
    replace: '(*slots_)[row];\n    if (row % 2 == 0) changes_.Append(slot);',
    ...CYCLES,
  },
  {
    name: 'a scalar resource of a node keeps its first value',
    file: 'core/table/node_table.cc',
    search: 'columns.requested.Set(row, info.requested().Scalar(columns.resource));',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'taints are not in the table',
    file: 'core/table/node_table.cc',
    search: 'has_taints_.Set(row, info.node()->spec.taints.empty() ? 0 : 1);',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'a share next to a boundary counts as sure',
    file: 'core/plugins/use_shares.h',
    search: 'kMargin = 1.0F / 8192;',
    replace: 'kMargin = 1.0F / 67108864;',
    ...COLUMNS,
  },
  {
    name: 'a row without a resource has shares',
    file: 'core/plugins/use_shares.cc',
    search: 'IsInRange(use.allocatable - 1) && ',
    replace: '',
    ...COLUMNS,
  },
  {
    name: 'changed rows keep their shares',
    file: 'core/plugins/resource_allocation.cc',
    search: 'ReadRows(chunk, own);\n      rows =',
    replace: 'rows =',
    ...COLUMNS,
  },
  {
    name: 'rows of a chunk are taken for neighbours',
    file: 'core/plugins/use_shares.cc',
    search: '= column[chunk_.rows[offset]];',
    replace: '= column[chunk_.rows[0] + offset];',
    ...COLUMNS,
  },
  {
    name: 'the mean by shares is a fraction too small',
    file: 'core/plugins/least_allocated.cc',
    search: 'sum = Four(0.5F);',
    replace: 'sum = Four(0.0F);',
    ...COLUMNS,
  },
  {
    name: 'of two rows, only the first lacks something',
    file: 'core/plugins/node_resources_fit_caching.cc',
    search: 'return (lacks[0] | lacks[1]) == 0;',
    replace: 'return lacks[0] == 0;',
    ...COLUMNS,
  },
  {
    name: 'a share of more than all counts in full',
    file: 'core/plugins/node_resources_balanced_allocation_caching.cc',
    search: 'balance.are_unsure | is_full',
    replace: 'balance.are_unsure | (is_full & Four(0))',
    ...COLUMNS,
  },
  {
    name: 'among neighbours, only the first eight are read',
    file: 'core/table/node_table.h',
    search: 'for (uint64_t eight : values) any |= eight;',
    replace: 'any = values[0];',
    program: 'table',
    tests: 'NodeChunk.*',
  },
  {
    name: 'rows that join a class together all count as the best',
    file: 'core/runtime/verdicts/score_classes.cc',
    search: 'BasesOf(rows, bases, offset) == Four(best_of_all)',
    replace: 'BasesOf(rows, bases, offset) <= Four(best_of_all)',
    program: 'runtime',
    tests: 'ScoreClasses.*',
  },
  {
    name: 'a row without a class still has its last base',
    file: 'core/runtime/verdicts/score_classes.cc',
    search: 'gone = before == kNone ? kNoBase : base_[row];',
    replace: 'gone = base_[row];',
    program: 'runtime',
    tests: 'ScoreClasses.*',
  },
  {
    name: 'rows of a word join the class of the first one',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'same |= uint64_t{raw[at] == raw[offset]} << at;',
    replace: 'same |= uint64_t{raw[at] <= raw[offset] + 100} << at;',
    ...CYCLES,
  },
];
