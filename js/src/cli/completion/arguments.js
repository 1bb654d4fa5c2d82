import { parsed } from '../arguments/arguments.js';
import { HELP } from '../arguments/flags.js';
import { UsageError } from '../terminal/problems.js';

const SHELLS = Object.freeze(['bash', 'zsh', 'fish']);

/** @type {import('../arguments/manual.js').Manual} */
export const COMPLETION = {
  name: 'completion',
  takes: 'SHELL',
  summary: 'print a script that completes command lines in bash, zsh or fish',
  description: `\
Prints a script that has the shell complete stowage's commands, flags, values and files when Tab is
pressed. SHELL is bash, zsh or fish.`,
  examples: [
    { why: 'bash, from ~/.bashrc:', command: 'source <(stowage completion bash)' },
    { why: 'zsh, from ~/.zshrc, after compinit:', command: 'source <(stowage completion zsh)' },
    { why: 'fish, from ~/.config/fish/config.fish:', command: 'stowage completion fish | source' },
  ],
  flags: HELP,
  exitCodes: { 0: 'the script is printed', 2: 'the shell is not supported', 3: 'stowage failed' },
  words: SHELLS,
};

/**
 * @param {string[]} argv the arguments after `completion`
 * @throws {UsageError}
 */
export function parseCompletionArguments(argv) {
  const { values, positionals } = parsed(argv, HELP);
  const [shell] = positionals;
  if (!values.help && (positionals.length !== 1 || !SHELLS.includes(shell)))
    throw new UsageError(`completion is for one of ${SHELLS.join(', ')}`);
  return { shell, help: values.help };
}

/** @typedef {ReturnType<typeof parseCompletionArguments>} CompletionOptions */
