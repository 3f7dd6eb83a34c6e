import type { Command } from 'commander';

/** kubectl flags that select the server and the user. They are passed on to kubectl. */
const VALUES = [
  ['--kubeconfig <path>', 'the kubeconfig file'],
  ['--context <name>', 'the context of the kubeconfig'],
  ['--cluster <name>', 'the cluster of the kubeconfig'],
  ['--user <name>', 'the user of the kubeconfig'],
  ['-n, --namespace <name>', 'the namespace'],
  ['-s, --server <url>', 'the address of the server'],
  ['--tls-server-name <name>', "the name in the server's certificate"],
  ['--certificate-authority <path>', "the authority of the server's certificate"],
  ['--client-certificate <path>', 'a client certificate'],
  ['--client-key <path>', 'its key'],
  ['--token <text>', 'a bearer token'],
  ['--as <name>', 'the user to impersonate'],
  ['--as-group <name...>', 'groups to impersonate'],
  ['--as-uid <uid>', 'a UID to impersonate'],
  ['--request-timeout <duration>', 'how long one request may take'],
  ['--cache-dir <path>', "the folder of kubectl's discovery cache"],
] as const;
const INSECURE = '--insecure-skip-tls-verify';

/** Adds the flags to the command. */
export function connectionFlags(command: Command): Command {
  for (const [flag, description] of VALUES) command.option(flag, description);
  return command.option(INSECURE, 'do not check the certificate of the server');
}

/** Converts a command's options to kubectl arguments. */
export function connectionOf(options: Readonly<Record<string, unknown>>): readonly string[] {
  const given = VALUES.flatMap(([flag]) => {
    const name = longName(flag);
    return [options[camelCase(name)] ?? []].flat().map((value) => `--${name}=${String(value)}`);
  });
  return options['insecureSkipTlsVerify'] === true ? [...given, INSECURE] : given;
}

/** Splits words into kubectl's connection arguments and the rest. The last word may be incomplete. */
export function splitWords(words: readonly string[]): { readonly connection: string[]; readonly rest: string[] } {
  const connection: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const next = words[i + 1];
    if (NAMED.has(word) && next !== undefined && i + 1 < words.length - 1) {
      connection.push(word, next);
      i++;
    } else if (i < words.length - 1 && (word === INSECURE || NAMED.has(word.split('=')[0] as string))) {
      if (word.includes('=') || word === INSECURE) connection.push(word);
      else rest.push(word);
    } else rest.push(word);
  }
  return { connection, rest };
}

const longName = (flag: string): string => /--([a-z-]+)/.exec(flag)?.[1] ?? '';
const camelCase = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const NAMED: ReadonlySet<string> = new Set(VALUES.flatMap(([flag]) => (flag.split(' <')[0] as string).split(', ')));

/** All connection flags, in the form used for completion. */
export const CONNECTION_FLAGS: readonly string[] = [...VALUES.map(([flag]) => `--${longName(flag)}`), INSECURE];
