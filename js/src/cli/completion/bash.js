import { argumentKind, valueKind } from './words.js';

/** @import { Flag, Manual } from '../arguments/manual.js' */

/**
 * A script for bash, 3.2 and later.
 * @param {readonly Manual[]} manuals
 * @returns {string}
 */
export function bashScript(manuals) {
  const names = manuals.map(({ name }) => name);
  return `# Completion of stowage for bash: source <(stowage completion bash)

_stowage() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    ${reply([...names, 'help'])}
    return
  fi
  # --flag=value is three words here.
  if [[ $previous == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [[ $current == = ]]; then current=; fi
  case "$command $previous" in
${manuals.map(valueCases).join('')}  esac
  if [[ $current == -* ]]; then
    case "$command" in
${manuals.map(flagCase).join('')}    esac
    return
  fi
  case "$command" in
    help) ${reply(names)} ;;
${manuals.map(argumentCase).join('')}  esac
}

# Without an answer it is a file, unless that is said to be none.
complete -o bashdefault -o default -F _stowage stowage
`;
}

const NOTHING = 'compopt +o bashdefault +o default 2>/dev/null';

/** @param {readonly string[]} words */
function reply(words) {
  return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current"))`;
}

/** @param {Manual} manual */
function valueCases({ name, flags }) {
  return Object.entries(flags)
    .filter(([, flag]) => valueKind(flag) !== 'nothing')
    .map(([long, flag]) => {
      const pattern = spellings(long, flag).map((spelled) => `"${name} ${spelled}"`);
      return `    ${pattern.join(' | ')}) ${valueReply(flag)}; return ;;\n`;
    })
    .join('');
}

/** @param {Flag} flag */
function valueReply(flag) {
  const kind = valueKind(flag);
  if (kind === 'words') return reply(flag.words ?? []);
  return kind === 'file' ? ':' : NOTHING;
}

/** @param {Manual} manual */
function flagCase({ name, flags }) {
  const words = Object.entries(flags).flatMap(([long, flag]) => spellings(long, flag));
  return `      ${name}) ${reply(words)} ;;\n`;
}

/** @param {Manual} manual */
function argumentCase(manual) {
  const kind = argumentKind(manual);
  if (kind === 'file') return '';
  const answer = kind === 'words' ? reply(manual.words ?? []) : NOTHING;
  return `    ${manual.name}) ${answer} ;;\n`;
}

/**
 * @param {string} long
 * @param {Flag} flag
 */
function spellings(long, { short }) {
  return short ? [`-${short}`, `--${long}`] : [`--${long}`];
}
