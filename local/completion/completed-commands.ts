import type { Argument, Command, Option } from 'commander';

/** Completions of a value: file names, a list of words, or none. */
export type CompletedValue = 'file' | 'text' | readonly string[];

/** A flag for shell completion. */
export interface CompletedFlag {
  /** `--verbose` and `-v`. */
  readonly names: readonly string[];
  readonly about: string;
  /** Undefined if the flag takes no value, or if its value is optional. */
  readonly value?: CompletedValue;
}

/** A command for shell completion. */
export interface CompletedCommand {
  /** The words after `davit`, such as `node add`; '' for davit itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly CompletedFlag[];
  /** Completions of its arguments; undefined if it takes none. */
  readonly argument?: CompletedValue;
}

/** Placeholders of values that are files or folders. */
const FILES = /^(file|path|paths|folder)$/;

/** This command, then every subcommand below it. */
export function completedCommands(command: Command, path: readonly string[] = []): CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const flags = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map(flagOf);
  const [argument] = command.registeredArguments;
  const own: CompletedCommand = {
    path: path.join(' '),
    commands: commands.map((one) => ({ name: one.name(), about: help.subcommandDescription(one) })),
    flags,
    ...(argument === undefined ? {} : { argument: argumentOf(argument) }),
  };
  return [own, ...commands.flatMap((one) => completedCommands(one, [...path, one.name()]))];
}

function flagOf({ long, short, description, flags, required, argChoices }: Option): CompletedFlag {
  const names = [long, short].filter((name) => name !== undefined);
  const placeholder = /<([^>.]+)/.exec(flags)?.[1] ?? '';
  return { names, about: description, ...(required ? { value: argChoices ?? valueOf(placeholder) } : {}) };
}

const argumentOf = (argument: Argument): CompletedValue => argument.argChoices ?? valueOf(argument.name());

const valueOf = (name: string): CompletedValue => (FILES.test(name) ? 'file' : 'text');
