/**
 * The conformance tests that do not apply to kube-scheduler's environment, and those that cel-go
 * itself does not pass. Each has its reason.
 */

/**
 * A test is excluded if its path, its expression and the JSON of its declarations match.
 *
 * @typedef {{reason: string, paths?: RegExp, expressions?: RegExp,
 *   declarations?: RegExp}} Exclusion
 */

/** Of CEL's conformance tests. @type {Exclusion[]} */
export const EXCLUSIONS = [
  {
    reason: 'messages: the environment has no protocol buffers',
    paths: /^(proto2|proto3|proto2_ext|wrappers|dynamic|enums)\//,
  },
  {
    reason: 'messages: the expression makes or names one',
    expressions: /TestAllTypes|NestedMessage/,
  },
  {
    reason: 'messages: the expression makes or names one of protobuf’s own',
    expressions:
      /google\.protobuf\.(Any|Value|ListValue|Struct|NullValue|FieldMask|Empty|\w+Value)\b/,
  },
  {
    reason: 'messages: a variable is one',
    declarations:
      /"messageType":"(?!google\.protobuf\.(Timestamp|Duration)")|"wrapper"|objectValue.*TestAll/,
  },
  {
    reason: 'functions of the test’s own',
    declarations: /"function":/,
  },
  {
    reason: 'the library is not in the environment',
    paths: /^(math_ext|encoders_ext|block_ext)\//,
  },
  {
    reason: 'no expression has a container',
    paths: /^namespace\/namespace\//,
  },
  {
    reason: 'undeclared names are always found when the expression is compiled',
    paths:
      /^(basic\/(variables|functions)\/unbound_is_runtime_error|parse\/receiver_function_names\/)/,
  },
  {
    reason: 'time zones by name: DIVERGENCE(time-zones)',
    expressions: /'(Australia|US|America|Asia|Europe)\//,
  },
  {
    reason: 'cel-go accepts equal keys in a map, of which the last one counts',
    paths: /map_value_repeat_key/,
  },
  {
    reason: 'cel-go returns all milliseconds of a duration',
    paths: /^timestamps\/duration_converters\/get_milliseconds$/,
  },
  {
    reason:
      'kube-scheduler has version 2 of the strings library, whose format writes elements as ' +
      'literals and numbers as in American English; CEL’s tests are of version 4',
    paths: /^string_ext\/format\/.*(scientific|infinity|for decimal$|(list|map)s?($| support))/,
  },
];

/** Of the issues of cel-go's own tests of its parser and checker. @type {Exclusion[]} */
export const ISSUE_EXCLUSIONS = [
  {
    reason: 'cross-type comparisons of numbers are on in kube-scheduler',
    expressions: /^1 (<|<=|>|>=) 1\.0 &&/,
  },
  {
    reason: 'messages',
    expressions: /TestAllTypes|proto2/,
  },
  {
    reason: 'variables of messages',
    declarations: /"messageType"|"wrapper"/,
  },
  {
    reason: 'functions of the test’s own',
    declarations: /"function":/,
  },
  {
    reason: 'cel-go’s tests have a limit of 32 levels, kube-scheduler 250',
    expressions: /^(\[\[\[|a\.b\.c\.d\.e|a\[1\]\[2\]|1 \+ 2 \+ 3 \+ 4|a < 1 < 2|y!=y)/,
  },
  {
    reason: 'ANTLR’s lookahead and recovery',
    expressions: /^--$|^-\[-1--1|^ó|'😁'/,
  },
  {
    reason: 'existsOne has three arguments',
    expressions: /existsOne\(__result__/,
  },
  {
    reason: 'the optional syntax and escaped identifiers are on in these tests',
    expressions: /\.\?|\[\?|\{\?|`/,
  },
];

/**
 * @param {Exclusion[]} exclusions @param {string} path
 * @param {import('./cel_spec.js').SpecTest} test
 * @returns {Exclusion | undefined}
 */
export function exclusionOf(exclusions, path, { expr, typeEnv = [], bindings = {} }) {
  const declared = JSON.stringify([typeEnv, bindings]);
  return exclusions.find(
    ({ paths, expressions, declarations }) =>
      (paths?.test(path) ?? true) &&
      (expressions?.test(expr) ?? true) &&
      (declarations?.test(declared) ?? true),
  );
}
