/** Mistakes that are likely in the containers and texts of core/base. */

/** @type {import('./list.js').Mutation[]} */
export const BASE_MUTATIONS = [
  {
    name: 'rows stay known as set after one of them was removed',
    file: 'core/base/bitset.h',
    search: 'num_full_ = std::min(num_full_, index * kWordBits);',
    replace: '',
    program: 'base',
    tests: 'Bitset.*',
  },
  {
    name: 'the gap of a removed text hides the texts behind it',
    file: 'core/base/symbol.cc',
    search: 'if (((place - home) & mask()) < ((place - gap) & mask())) continue;',
    replace: 'if (home == places_.size()) break;',
    program: 'base',
    tests: 'Symbol.*',
  },
  {
    name: 'texts of one hash are one symbol',
    file: 'core/base/symbol.cc',
    search: 'if (places_[place].hash == hash && IsText(*places_[place].entry, text)) break;',
    replace: 'if (places_[place].hash == hash && places_[place].entry->size == text.size()) break;',
    program: 'base',
    tests: 'Symbol.*',
  },
  {
    name: 'levels of the tie tree are not bounded by the tie found above',
    file: 'core/base/heap_order.h',
    search: 'end_ = 2 * end + 1;',
    replace: 'end_ = 2 * (end < end_ ? end_ : end) + 1;',
    program: 'base',
    tests: 'HeapOrder.*:HeapTieSearch.*',
  },
  {
    name: 'a write to a shared block reaches its other holders',
    file: 'core/base/shared_pages.cc',
    search: '    block = copy;\n',
    replace: '',
    program: 'base',
    tests: 'SharedArray.*:HashMap.*',
  },
  {
    name: 'the blocks of a copied page have no holder more',
    file: 'core/base/shared_pages.cc',
    search: 'for (Block* block : copy->all()) ++block->holders;',
    replace: '',
    program: 'base',
    tests: 'SharedArray.*:HashMap.*',
  },
  {
    name: 'a map that grows puts entries into places that others have',
    file: 'core/base/hash_map.h',
    search: 'while (places_[place].tag != 0) place = After(place);',
    replace: '',
    program: 'base',
    tests: 'HashMap.*',
  },
];
