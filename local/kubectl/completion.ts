import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { StartFault } from '../start-fault.ts';
import { askInvocations } from './ask-invocations.ts';
import { CONNECTION_FLAGS, splitWords } from './connection.ts';
import type { Kubectl } from './kubectl.ts';

/** The completions of the last word, and cobra's directive for the shell. */
export interface Completion {
  readonly lines: readonly string[];
  readonly directive: number;
}

/** cobra's directive ShellCompDirectiveNoFileComp: the shell does not complete file names. */
const NO_FILES = 4;

const LOG_FLAGS = ['container', 'follow', 'previous', 'timestamps', 'tail', 'since', 'since-time', 'limit-bytes'].map(
  (name) => `--${name}`,
);
const STREAM_FLAGS = ['--container', '--stdin', '--tty'];
/** Commands whose first argument is a pod. */
const OF_PODS: readonly string[] = ['logs', 'exec', 'attach', 'port-forward'];

const COMMANDS: Readonly<Record<string, { readonly about: string; readonly flags: readonly string[] }>> = {
  trace: { about: 'an object, its events, and what functions did for it', flags: ['--since'] },
  functions: { about: 'list reconcilers, webhooks and aggregated APIs and their state', flags: ['--output'] },
  invocations: {
    about: 'list recent calls of reconcilers and webhooks',
    flags: ['--reconciler', '--failed', '--logs', '--watch', '--output', '--log-group', '--since'],
  },
  logs: { about: 'print the log of a container, in every front door', flags: LOG_FLAGS },
  exec: { about: 'run a command in a container, in every front door', flags: STREAM_FLAGS },
  attach: { about: 'attach to the process of a container, in every front door', flags: [...STREAM_FLAGS, '--quiet'] },
  'port-forward': { about: 'forward ports to a pod, in every front door', flags: ['--address'] },
  cp: { about: 'copy files from and to a container, in every front door', flags: ['--container', '--no-preserve'] },
  replay: { about: 'run a reconciler for an object once more', flags: [] },
  netpol: { about: 'say whether network policies allow a connection', flags: ['--protocol', '--output'] },
  which: { about: 'find the extension point for your need in at most eight questions', flags: [] },
};

/** Completes the last word after `kubectl davit`. `connect` returns a kubectl with the connection flags among the other words. */
export async function complete(
  words: readonly string[],
  connect: (connection: readonly string[]) => Kubectl,
): Promise<Completion> {
  const { connection, rest } = splitWords(words);
  const ask = connect(connection);
  const last = rest.at(-1) ?? '';
  const before = rest.at(-2) ?? '';
  const [name = '', ...given] = rest.slice(0, -1).filter((word) => !word.startsWith('-'));
  if (before === '-n' || CONNECTION_FLAGS.includes(before)) return byKubectl(ask, ['get', before, last]);
  if (last.startsWith('-')) return starting([...(COMMANDS[name]?.flags ?? []), ...CONNECTION_FLAGS], last);
  if (before === '--output' || before === '-o') return starting(['json'], last);
  if (before === '--reconciler') return starting(await functions(ask), last);
  if (name === '')
    return starting(
      Object.entries(COMMANDS).map(([one, { about }]) => `${one}\t${about}`),
      last,
    );
  if (OF_PODS.includes(name) && given.length === 0) return byKubectl(ask, ['get', 'pod', last]);
  if (name === 'netpol')
    return given.length === 0 ? starting(['explain'], last) : byKubectl(ask, ['get', 'pods', last]);
  if (name === 'trace') return byKubectl(ask, ['get', ...given, last]);
  if (name !== 'replay' || given.length > 1) return { lines: [], directive: NO_FILES };
  return starting(given[0] === undefined ? await functions(ask, 'Reconcile') : await objects(ask, given[0]), last);
}

const starting = (all: readonly string[], word: string): Completion => ({
  lines: [...new Set(all)].filter((one) => one.startsWith(word)),
  directive: NO_FILES,
});

/** The completions that kubectl itself returns. */
async function byKubectl(ask: Kubectl, words: readonly string[]): Promise<Completion> {
  const lines = (await ask.complete(words).catch(nothing(''))).trimEnd().split('\n');
  const directive = Number(/^:(\d+)$/.exec(lines.pop() ?? '')?.[1] ?? NO_FILES);
  return { lines, directive };
}

async function invocations(ask: Kubectl, query: { function?: string }): Promise<readonly Invocation[]> {
  return (await askInvocations(ask, query).catch(nothing({ items: [] }))).items;
}

const functions = async (ask: Kubectl, type?: Invocation['type']): Promise<string[]> =>
  (await invocations(ask, {})).filter((one) => type === undefined || one.type === type).map((one) => one.function);

const objects = async (ask: Kubectl, reconciler: string): Promise<string[]> =>
  (await invocations(ask, { function: reconciler })).flatMap(({ object }) => {
    if (object === undefined) return [];
    return [object.namespace === '' ? object.name : `${object.namespace}/${object.name}`];
  });

/** Ignores an error, because completion must not print errors. */
const nothing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (!(error instanceof StartFault)) throw error;
    return instead;
  };
