import { argumentKind, quoted, valueKind } from './words.js';

/** @import { Flag, Manual } from '../arguments/manual.js' */

/**
 * A script for zsh: source it after compinit, or save it as `_stowage` in a folder of `$fpath`.
 * @param {readonly Manual[]} manuals
 * @returns {string}
 */
export function zshScript(manuals) {
  const names = manuals.map(({ name }) => name);
  const described = manuals.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`);
  return `#compdef stowage
# Completion of stowage for zsh: source <(stowage completion zsh)

_stowage() {
  local -a commands
  commands=(
${described.join('')}    'help:print what a command does'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  ((CURRENT--))
  case "$command" in
    help) _arguments '1:command:(${names.join(' ')})' ;;
${manuals.map(commandCase).join('')}  esac
}

if [[ "\${funcstack[1]}" == _stowage ]]; then
  _stowage "$@"
else
  compdef _stowage stowage
fi
`;
}

/** @param {Manual} manual */
function commandCase(manual) {
  const specs = Object.entries(manual.flags).flatMap(([long, flag]) => flagSpecs(long, flag));
  const kind = argumentKind(manual);
  if (kind === 'file') specs.push(quoted('*:file:_files'));
  if (kind === 'words') specs.push(quoted(`1:word:(${manual.words?.join(' ')})`));
  const lines = specs.map((spec) => ` \\\n        ${spec}`);
  return `    ${manual.name})\n      _arguments -s -S${lines.join('')}\n      ;;\n`;
}

/**
 * @param {string} long
 * @param {Flag} flag
 */
function flagSpecs(long, flag) {
  const { short, multiple, help } = flag;
  const value = valueSpec(flag);
  const spelled = [...(short ? [`-${short}`] : []), `--${long}${value && '='}`];
  const others = spelled.map((word) => word.replace(/=$/, '')).join(' ');
  const once = multiple ? '*' : `(${others})`;
  const text = help.replace(/[[\]\\]/g, '\\$&');
  return spelled.map((word) => quoted(`${once}${word}[${text}]${value}`));
}

/** @param {Flag} flag */
function valueSpec(flag) {
  const name = (flag.value ?? '').replaceAll(':', '\\:');
  switch (valueKind(flag)) {
    case 'nothing':
      return '';
    case 'words':
      return `:${name}:(${flag.words?.join(' ')})`;
    case 'file':
      return `:${name}:_files`;
    default:
      return `:${name}: `;
  }
}
