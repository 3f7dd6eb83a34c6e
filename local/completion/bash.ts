import type { CompletedCommand, CompletedValue } from './completed-commands.ts';
import { quoted } from './quoted.ts';

/**
 * A script for bash 3.2 and newer. It contains every word and runs no program. If no word matches, bash completes file names. Bash splits
 * `--flag=value` into three words.
 */
export const bashScript = (
  all: readonly CompletedCommand[],
): string => `# bash completion of davit: eval "$(davit completion bash)"
_davit_words() {
  case "$1" in
${all.map((one) => `    ${quoted(one.path)}) echo ${quoted(wordsOf(one).join(' '))} ;;`).join('\n')}
  esac
}

# The values of a flag; fails if it takes none.
_davit_values() {
  case "$1" in
${all.flatMap(valueCases).join('\n')}
    *) return 1 ;;
  esac
}

_davit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' flag='' word next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    next="\${path:+$path }$word"
    if [[ $word == '=' ]]; then
      continue
    elif [[ -n $flag ]]; then
      flag=''
    elif [[ $word == -* ]]; then
      _davit_values "$path $word" >/dev/null && flag="$word"
    elif [[ -n $(_davit_words "$next") ]]; then
      path="$next"
    fi
  done
  [[ $current == '=' ]] && current=''
  if [[ -n $flag ]]; then
    COMPREPLY=($(compgen -W "$(_davit_values "$path $flag")" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$(_davit_words "$path")" -- "$current"))
  fi
}

complete -o default -F _davit davit
`;

const wordsOf = ({ commands, flags, argument }: CompletedCommand): string[] => [
  ...commands.map(({ name }) => name),
  ...choicesOf(argument),
  ...flags.map(({ names: [name = ''] }) => name),
];

const valueCases = ({ path, flags }: CompletedCommand): string[] =>
  flags.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const patterns = names.map((name) => quoted(`${path} ${name}`)).join(' | ');
    return [`    ${patterns}) echo ${quoted(choicesOf(value).join(' '))} ;;`];
  });

const choicesOf = (value: CompletedValue | undefined): readonly string[] => (typeof value === 'object' ? value : []);
