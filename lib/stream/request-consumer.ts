import type { Declaration } from '#lib/client/controller/declaration.ts';
import { decodeMessage, groupId, messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { loggedChange } from '#lib/client/controller/object-change.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { mayConcern, mayHold, type Request, requestsOf } from '#lib/client/controller/requests.ts';
import { defined } from '#lib/machinery/defined.ts';
import { LEDGERS } from '#lib/server/policy/resource-quota/ledger.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { Change } from '#lib/storage/sequence.ts';
import type { Consumer, Undeliverable } from './consumer.ts';
import { attempt, type ChangeEntry, resendTexts, sendMade } from './sending.ts';
import type { Sink } from './sink.ts';

/** A reconciler's view of changes. Pure. */
export interface RequestRoute {
  readonly name: string;
  /** The queue for its requests. The default is the queue of the built-in reconcilers. */
  readonly queue?: string;
  requests(change: ObjectChange): readonly Request[];
  /** Whether this log may hold objects that it reconciles. If absent, it may. */
  mayHold?(sequence: string): boolean;
  /** Whether a change in this log may concern it. If absent, it may. */
  hears?(sequence: string): boolean;
}

/** Creates a route from a declaration. */
export const byDeclaration = (declaration: Declaration, queue?: string): RequestRoute => ({
  name: declaration.name,
  ...defined({ queue }),
  requests: (change) => requestsOf(declaration, change),
  mayHold: (sequence) => mayHold(sequence, declaration),
  hears: (sequence) => mayConcern(sequence, declaration),
});

/** Creates a route from a reconciler's own `keys`. The key becomes the name, and the namespace is empty. */
export const byKeys = (reconciler: Pick<Reconciler, 'name' | 'keys'>): RequestRoute => ({
  name: reconciler.name,
  requests: (change) => reconciler.keys(change).map((key) => ({ namespace: '', name: key })),
});

/**
 * Sends each reconciler the requests that result from changes. If a delivery contains several requests for one object, only the last one is
 * sent, because the reconciler reads the current state. With `later`, each message gets a nonce and is processed even if its version is
 * known.
 */
export function requestConsumer(
  queue: Sink<ReconcileMessage>,
  reconcilers: readonly RequestRoute[],
  { later }: { later?: () => string } = {},
): Consumer {
  return {
    reader: 'requests',
    wants: (sequence) =>
      sequence.split('/')[1] !== LEDGERS && reconcilers.some(({ hears }) => hears?.(sequence) ?? true),
    deliver: async (sequence, changes) => {
      const undeliverable: Undeliverable[] = [];
      const last = new Map<string, ChangeEntry<ReconcileMessage>>();
      for (const change of changes) {
        for (const reconciler of reconcilers) {
          const made = attempt(() => messagesOf(reconciler, change, sequence));
          const { version, key } = change;
          if ('fault' in made) undeliverable.push({ version, key, reason: `${reconciler.name}: ${made.fault}` });
          else for (const entry of made.value) last.set(groupId(entry), { version, key, entry });
        }
      }
      const all = [...last.values()].map((made) =>
        later === undefined ? made : { ...made, entry: { ...made.entry, later: later() } },
      );
      return [...undeliverable, ...(await sendMade(queue, all))];
    },
    resend: (entries) => resendTexts(queue, entries, decodeMessage),
  };
}

function messagesOf(
  { name: reconciler, queue, requests }: RequestRoute,
  change: Change,
  sequence: string,
): ReconcileMessage[] {
  const { key, version } = change;
  const { cluster } = parseKey(key);
  return requests(loggedChange(change)).map((request) =>
    messageOf({ reconciler, queue, cluster, ...request, sequence, version }),
  );
}
