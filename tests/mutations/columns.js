/** Mistakes that are likely in the columns of nodes and in what fills entries from them. */

const CYCLES = { program: 'runtime', tests: 'VerdictCache.*' };
const COLUMNS = { program: 'plugins', tests: 'UseColumns.*' };

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
    search: '(*slots_)[move.row];\n    changes_.Append(slot);',
    replace: '(*slots_)[move.row];\n    if (move.row % 2 == 0) changes_.Append(slot);',
    ...CYCLES,
  },
  {
    name: 'a value that moves backward is overwritten before it is read',
    file: 'core/table/renumbering.h',
    search: 'bool IsBackward() const { return previous < row; }',
    replace: 'bool IsBackward() const { return false; }',
    program: 'table',
    tests: 'NodeTable.*',
  },
  {
    name: 'rows behind a removed node count as unmoved',
    file: 'core/cache/node_tree.cc',
    search: 'std::min(zone->num_unchanged, static_cast<size_t>(at))',
    replace: 'std::min(zone->num_unchanged, zone->names.size())',
    program: 'cache',
    tests: 'NodeTree.*',
  },
  {
    name: "rows of another snapshot's list are followed",
    file: 'core/cache/cache.cc',
    search: 'snapshot->listing_ == 0 || snapshot->listing_ != listing_;',
    replace: 'snapshot->listing_ == 0;',
    program: 'cache',
    tests: 'Snapshot.*',
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
    name: 'amounts that are not exact are scored by columns',
    file: 'core/plugins/use_columns.h',
    search: '& ~(UseColumns::kMaxAmount - 1)) == 0;',
    replace: '& ~(8 * UseColumns::kMaxAmount - 1)) == 0;',
    ...COLUMNS,
  },
  {
    name: 'rows of a chunk are taken for neighbours',
    file: 'core/plugins/use_columns.cc',
    search: '= column[chunk_.rows[offset]];',
    replace: '= column[chunk_.rows[0] + offset];',
    ...COLUMNS,
  },
  {
    name: 'the mean by columns is a fraction too small',
    file: 'core/plugins/least_allocated.cc',
    search: '+ Both(0.5)) * inverse',
    replace: '+ Both(0.0)) * inverse',
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
    name: 'the balance without the pod counts the pod',
    file: 'core/plugins/node_resources_balanced_allocation_caching.cc',
    search: 'TwoBalances(Fractions(used_a, all_a),',
    replace: 'TwoBalances(Fractions(used_a + Both(a.request), all_a),',
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
    search: 'best_rows |= uint64_t{bases[offset] == best} << offset;',
    replace: 'best_rows |= uint64_t{bases[offset] <= best} << offset;',
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
