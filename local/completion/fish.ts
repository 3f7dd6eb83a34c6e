import type { CompletedCommand, CompletedFlag, CompletedValue } from './completed-commands.ts';

/** A script for fish, with one `complete` call for each command and flag. */
export const fishScript = (
  all: readonly CompletedCommand[],
): string => `# fish completion of davit: davit completion fish | source
function __davit_at --description 'Whether the words so far name this command'
    set -l path
    for word in (commandline -opc)[2..]
        if contains -- (string join -- ' ' $path $word) ${all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' ')}
            set path $path $word
        end
    end
    test "$path" = "$argv"
end

complete -c davit -f
${all.flatMap(linesOf).join('\n')}
`;

function linesOf({ path, commands, flags, argument }: CompletedCommand): string[] {
  const start = `complete -c davit -n ${quoted(`__davit_at ${path}`.trim())}`;
  return [
    ...commands.map(({ name, about }) => `${start} -a ${name} -d ${quoted(about)}`),
    ...(argument === undefined || argument === 'text' ? [] : [`${start} ${valueOf(argument)}`]),
    ...flags.map((flag) => `${start} ${flagOf(flag)}`),
  ];
}

function flagOf({ names, about, value }: CompletedFlag): string {
  const options = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const taken = value === undefined ? [] : ['-r', valueOf(value)];
  return [...options, ...taken, `-d ${quoted(about)}`].filter((part) => part !== '').join(' ');
}

function valueOf(value: CompletedValue): string {
  if (value === 'file') return '-F';
  return value === 'text' ? '-f' : `-f -a ${quoted(value.join(' '))}`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
