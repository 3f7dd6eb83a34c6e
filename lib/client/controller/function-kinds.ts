import type { Client } from '#lib/client/client.ts';
import { discover, type ServedResource } from '#lib/client/discovery.ts';
import type { Declaration } from './declaration.ts';
import type { Logger } from './logger.ts';
import type { ObjectChange, Reconciler } from './reconciler.ts';
import { kindsOf, notServed, unservedKinds } from './unserved.ts';

/** The ports for tracking which kinds are served. */
export interface FunctionKindsPorts {
  readonly client: Client;
  readonly log: Logger;
  /** All current declarations. */
  declarations(): readonly Declaration[];
  /** Called when all kinds of this reconciler are served again. The callee must reconcile all objects. */
  served(reconciler: string): void;
}

/** Tracks which of the kinds declared by users' reconcilers are served. */
export interface FunctionKinds extends Reconciler {
  /** The reason why a reconciler waits. Undefined if all of its kinds are served. */
  waitsFor(reconciler: string): string | undefined;
  /** Records that a reconciler dropped a key because its kind was not served. */
  missed(reconciler: string): void;
}

interface Waiting {
  /** The kinds that were last logged, so that the same ones are logged only once. */
  readonly kinds: string;
  readonly text: string;
}

const ALL = 'kinds';

/**
 * Logs once which declared kinds are not served, and reports when they become served. Definitions may be created and deleted while a server
 * runs.
 */
export function functionKinds({ client, log, declarations, served }: FunctionKindsPorts): FunctionKinds {
  let waiting = new Map<string, Waiting>();
  const concerns = ({ group, mentions }: ObjectChange): boolean =>
    group === 'apiextensions.k8s.io' &&
    (waiting.size > 0 || declarations().some((one) => kindsOf(one).some(({ kind }) => mentions(`"${kind}"`))));
  return {
    name: 'function-kinds',
    initial: [ALL],
    keys: (change) => (concerns(change) ? [ALL] : []),
    waitsFor: (reconciler) => waiting.get(reconciler)?.text,
    missed(reconciler) {
      if (!waiting.has(reconciler)) waiting.set(reconciler, { kinds: '', text: 'its kind is not served' });
    },
    async reconcile() {
      const found = declarations().length === 0 ? [] : await discover(client);
      const declared = declarations();
      const before = waiting;
      waiting = new Map(declared.flatMap((one) => waitingOf(one, found)));
      for (const [reconciler, { kinds, text }] of waiting)
        if (before.get(reconciler)?.kinds !== kinds) log.error(text, { reconciler });
      for (const { name } of declared) if (before.has(name) && !waiting.has(name)) served(name);
      return undefined;
    },
  };
}

function waitingOf(declaration: Declaration, found: readonly ServedResource[]): [string, Waiting][] {
  const missing = unservedKinds(declaration, found);
  if (missing.length === 0) return [];
  const text = missing.map((kind) => notServed(kind, found)).join('; ');
  return [[declaration.name, { kinds: JSON.stringify(missing), text }]];
}
