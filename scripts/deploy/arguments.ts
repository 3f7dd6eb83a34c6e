/** The arguments of `cdk deploy` that this script reads first: `-c name=value` and `--profile name`. */
export interface Arguments {
  readonly context: Readonly<Record<string, string>>;
  readonly profile: string | undefined;
}

/** Reads the arguments. If an argument is repeated, the last one counts. */
export function readArguments(args: readonly string[]): Arguments {
  const given = valuesOf(args, ['-c', '--context']).map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { context: Object.fromEntries(given), profile: valuesOf(args, ['--profile']).at(-1) };
}

/** The values of an option, written `--name value` or `--name=value`. */
function valuesOf(args: readonly string[], names: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    if (names.includes(arg)) return args[at + 1] ?? [];
    const name = names.find((each) => arg.startsWith(`${each}=`));
    return name === undefined ? [] : arg.slice(name.length + 1);
  });
}
