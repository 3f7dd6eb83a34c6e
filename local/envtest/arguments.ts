/** Upstream's flags that have no effect here, and two that every envtest program sets or has set in the past. */
const DROPPED: readonly string[] = [
  'advertise-address',
  'allow-privileged',
  'enable-garbage-collector',
  'profiling',
  'service-cluster-ip-range',
  'v',
  'vmodule',
  'watch-cache',
];
const RENAMED: Readonly<Record<string, string>> = { 'bind-address': 'host', 'secure-port': 'port' };

/** The flags for davit, and the directory to remove at the end. */
export interface ServerArguments {
  /** The directory of the certificates, which is removed when the server ends. */
  readonly directory: string | undefined;
  /** Flags for our own server. */
  readonly flags: readonly string[];
}

/**
 * Translates flags of kube-apiserver, each written as `--name=value`. Data stays in memory. No controllers run unless a flag names them, as
 * with a standalone kube-apiserver. Unknown flags are kept, so that the server rejects them.
 */
export function serverArguments(given: readonly string[]): ServerArguments {
  const flags = given.map(parsed).filter(({ name }) => !DROPPED.includes(name) && !name.startsWith('etcd-'));
  const has = (name: string): boolean => flags.some((flag) => flag.name === name);
  const directory = flags.find(({ name }) => name === 'cert-dir')?.value;
  return {
    directory,
    flags: [
      '--in-memory',
      ...(has('controllers') ? [] : ['--controllers=']),
      ...(directory === undefined || has('tls-cert-file') ? [] : shown(directory)),
      ...flags.filter(({ name }) => name !== 'cert-dir').map(ours),
    ],
  };
}

interface Flag {
  readonly text: string;
  readonly name: string;
  readonly value: string | undefined;
}

function parsed(text: string): Flag {
  const [, name = '', value] = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
  return { text, name, value };
}

/** The certificate pair that upstream's server reads from this directory. */
const shown = (directory: string): string[] => [
  `--tls-cert-file=${directory}/apiserver.crt`,
  `--tls-private-key-file=${directory}/apiserver.key`,
];

function ours({ text, name, value }: Flag): string {
  const renamed = RENAMED[name];
  return renamed === undefined || value === undefined ? text : `--${renamed}=${value}`;
}
