import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { type ConfigOption, type ConfigValue, formatConfig, parseConfig } from '#lib/machinery/config/config.ts';
import { likely } from '#lib/machinery/config/nearest.ts';
import { defined } from '#lib/machinery/defined.ts';
import { fileFault, messageOf, StartFault } from '../start-fault.ts';

/** Flags for the configuration itself. */
export interface ConfigFlags {
  readonly config?: string;
  readonly printConfig?: boolean;
}

/** Adds the flags to the command. */
export function configFlags(command: Command): Command {
  return command
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: (text, write) => write(lineFault(text, command)) })
    .option('--config <path>', 'a file of the kind Config (davit.dev/v1); flags take precedence')
    .option('--print-config', 'print the effective configuration as such a file, and exit');
}

/** Returns the error message for an unknown flag, with the most similar flag if there is one. */
export function unknownFlag(flag: string, options: readonly Option[]): string {
  const known = options.flatMap(({ long }) => long ?? []);
  const meant = flag.startsWith('--') ? likely(flag, known) : undefined;
  return `unknown flag ${flag}; ${meant === undefined ? '--help-all prints every flag' : `the nearest is ${meant}`}`;
}

/** Returns the error message for an unknown command, with the most similar command if there is one. */
export function unknownCommand(word: string, commands: readonly Command[]): string {
  const meant = likely(
    word,
    commands.map((one) => one.name()),
  );
  return `there is no command ${word}; ${meant === undefined ? '--help lists the commands' : `the nearest is ${meant}`}`;
}

/** A command-line error on one line. For an unknown flag or command, it suggests the most similar one. */
function lineFault(text: string, { options, commands }: Command): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ');
  const [, what, word = ''] = /^unknown (option|command) '([^']*)'$/.exec(line) ?? [];
  if (what === 'option')
    return `davit: ${unknownFlag(word, [...options, ...commands.flatMap((one) => one.options)])}\n`;
  if (what === 'command')
    return `davit: ${unknownCommand(
      word,
      commands.flatMap((one) => one.commands),
    )}\n`;
  return `davit: ${line}\n`;
}

/** The types of values in the configuration file, by the placeholders of flags. */
const TYPES: Readonly<Record<string, ConfigOption['type']>> = {
  number: 'integer',
  days: 'integer',
  megabytes: 'integer',
  bytes: 'integer',
  bool: 'boolean',
  path: 'path',
  names: 'list',
  modes: 'list',
  paths: 'list',
  texts: 'list',
};
const ABOUT_FLAGS = ['config', 'printConfig', 'helpAll', 'version'];

const placeholderOf = ({ flags }: Option): string => /[<[]([^\]>]+)[\]>]$/.exec(flags)?.[1] ?? '';

function configOption(option: Option): ConfigOption {
  const type = option.isBoolean() ? 'boolean' : (TYPES[placeholderOf(option)] ?? 'string');
  const { argChoices: choices } = option;
  return { key: option.attributeName(), type, ...defined({ choices }) };
}

/** Every option that a file may set. */
export const configurable = ({ options }: Command): Option[] =>
  options.filter((option) => !ABOUT_FLAGS.includes(option.attributeName()));

/**
 * Applies values of the file, except for flags that are set. Paths are relative to the file. Throws StartFault with a message of one line.
 */
export function applyConfig(command: Command, path: string): void {
  const options = configurable(command);
  for (const [key, value] of valuesIn(path, options)) {
    const option = options.find((one) => one.attributeName() === key);
    if (option === undefined || command.getOptionValueSource(key) === 'cli') continue;
    try {
      command.setOptionValueWithSource(key, parsed(option, value, dirname(resolve(path))), 'config');
    } catch (error) {
      throw new StartFault(`${path}: ${key}: ${messageOf(error)}`);
    }
  }
}

function valuesIn(path: string, options: readonly Option[]): ReadonlyMap<string, ConfigValue> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw fileFault(path, error);
  }
  try {
    return parseConfig(text, options.map(configOption));
  } catch (error) {
    throw error instanceof TypeError ? new StartFault(`${path}: ${error.message}`) : error;
  }
}

/** Selects standard output instead of a file. */
const STREAM = '-';

/** The value as it would be parsed from the command line. */
function parsed(option: Option, value: ConfigValue, folder: string): unknown {
  if (option.isBoolean()) return value;
  const isPath = ['path', 'paths'].includes(placeholderOf(option));
  const texts = (typeof value === 'object' ? value : [String(value)]).map((text) =>
    isPath && text !== STREAM ? resolve(folder, text) : text,
  );
  const { parseArg } = option;
  if (parseArg === undefined) return texts.join(',');
  return texts.reduce<unknown>((before, text) => parseArg.call(option, text, before), option.defaultValue);
}

/**
 * The effective configuration as a file. Flags override the file, and the file overrides defaults. Files are named, but their contents are
 * not shown.
 */
export function effectiveConfig(command: Command): string {
  const values = new Map<string, ConfigValue>();
  for (const option of configurable(command)) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value !== undefined) values.set(option.attributeName(), shown(configOption(option), value));
  }
  return formatConfig(values);
}

function shown({ type }: ConfigOption, value: unknown): ConfigValue {
  if (type === 'boolean') return value === true || value === 'true';
  if (type === 'integer') return Number(value);
  if (type !== 'list') return String(value);
  return Array.isArray(value)
    ? value.map(String)
    : String(value)
        .split(',')
        .filter((one) => one !== '');
}
