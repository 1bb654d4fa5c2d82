/** Mistakes that are likely where decoding reads a text once, or not at all. */

/** @type {import('./list.js').Mutation[]} */
export const DECODING_MUTATIONS = [
  {
    name: 'a text that is known counts for more than itself',
    file: 'core/api/decode/decode_cache.cc',
    search: 'entry.options == reader.options() &&',
    replace: '',
    program: 'api/decode',
    tests: 'DecodeCache.*',
  },
  {
    name: 'a value with an error is kept by its text',
    file: 'core/api/decode/schema_decoder.cc',
    search: 'if (report_.field_errors.empty()) cache.Add',
    replace: 'cache.Add',
    program: 'api/decode',
    tests: 'DecodeCache.*',
  },
  {
    name: 'a value that was added to another one is kept by its own text',
    file: 'core/api/decode/schema_decoder.cc',
    search: 'if (!cache.IsUnset(slot.target)) return ReadAnew(slot, first, outer);',
    replace: '',
    program: 'api/decode',
    tests: 'DecodeCache.*',
  },
  {
    name: 'items of a List keep the kind that it named first',
    file: 'core/api/decode/object_stream.cc',
    search: 'kind_ahead_ != FindKind(item_type.api_version, item_type.kind)',
    replace: 'false',
    program: 'api/decode',
    tests: 'OnePass.*',
  },
  {
    name: 'managedFields stay in the text of an object',
    file: 'core/api/decode/schema_decoder.cc',
    search: 'report_.has_managed_fields |= key == "managedFields";',
    replace: '',
    program: 'api/decode',
    tests: 'VolumeSchema.*',
  },
];
