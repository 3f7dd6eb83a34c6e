import type { CompletedCommand, CompletedFlag, CompletedValue } from './completed-commands.ts';
import { quoted } from './quoted.ts';

/** Returns the script for zsh. It has one function per command, which calls zsh's `_arguments`. */
export const zshScript = (all: readonly CompletedCommand[]): string => `#compdef davit
# zsh completion of davit: source <(davit completion zsh), after compinit

${all.map(functionOf).join('\n\n')}

if [[ $funcstack[1] == _davit ]]; then
  _davit "$@" # a file of $fpath
else
  compdef _davit davit
fi
`;

function functionOf({ path, commands, flags, argument }: CompletedCommand): string {
  const specs = flags.map(flagSpec);
  if (commands.length === 0)
    return lines(functionName(path), [`_arguments -s ${[...specs, ...argumentSpecs(argument)].join(' ')}`]);
  const names = commands.map(({ name, about }) => quoted(`${name.replaceAll(':', '\\:')}:${about}`));
  return lines(functionName(path), [
    'local state',
    `_arguments -C -s ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(' ')}`,
    'case $state in',
    `  command) local -a commands=(${names.join(' ')}); _describe command commands ;;`,
    '  rest) case $words[1] in',
    ...commands.map(({ name }) => `    ${name}) ${functionName(path === '' ? name : `${path} ${name}`)} ;;`),
    '  esac ;;',
    'esac',
  ]);
}

const functionName = (path: string): string => `_davit${path === '' ? '' : `_${path.replaceAll(/[ -]/g, '_')}`}`;

const lines = (name: string, body: readonly string[]): string =>
  [`${name}() {`, ...body.map((line) => `  ${line}`), '}'].join('\n');

function flagSpec({ names, about, value }: CompletedFlag): string {
  const description = `[${about.replaceAll(/[[\]:]/g, (character) => `\\${character}`)}]`;
  const action = value === undefined ? '' : `: :${actionOf(value)}`;
  const [long = '', short] = names.map((name) => (value !== undefined && name.startsWith('--') ? `${name}=` : name));
  if (short === undefined) return quoted(`${long}${description}${action}`);
  return `'(${names.join(' ')})'{${short},${long}}${quoted(`${description}${action}`)}`;
}

const argumentSpecs = (argument: CompletedValue | undefined): string[] =>
  argument === undefined ? [] : [quoted(`*: :${actionOf(argument)}`)];

function actionOf(value: CompletedValue): string {
  if (value === 'file') return '_files';
  return value === 'text' ? '' : `(${value.join(' ')})`;
}
