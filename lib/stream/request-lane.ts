import type { Declaration } from '#lib/client/controller/declaration.ts';
import { decodeMessage, groupId, messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { loggedChange } from '#lib/client/controller/object-change.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { mayConcern, mayHold, type Request, requestsOf } from '#lib/client/controller/requests.ts';
import { defined } from '#lib/machinery/defined.ts';
import { LEDGERS } from '#lib/server/policy/resource-quota/ledger.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { Change } from '#lib/storage/sequence.ts';
import type { Lane, Undeliverable } from './lane.ts';
import type { Outlet } from './outlet.ts';
import { attempt, type ChangeEntry, resendTexts, sendMade } from './sending.ts';

/** One reconciler, as far as changes concern it. Pure. */
export interface RequestRoute {
  readonly name: string;
  /** The queue that its requests go by. Default that of the built-in reconcilers. */
  readonly queue?: string;
  requests(change: ObjectChange): readonly Request[];
  /** Whether what it reconciles may be in this log. Default it may. */
  mayHold?(sequence: string): boolean;
  /** Whether a change in this log may concern it. Default it may. */
  hears?(sequence: string): boolean;
}

/** By a declaration. */
export const byDeclaration = (declaration: Declaration, queue?: string): RequestRoute => ({
  name: declaration.name,
  ...defined({ queue }),
  requests: (change) => requestsOf(declaration, change),
  mayHold: (sequence) => mayHold(sequence, declaration),
  hears: (sequence) => mayConcern(sequence, declaration),
});

/** By a reconciler's own code: its key is the name, in no namespace. */
export const byKeys = (reconciler: Pick<Reconciler, 'name' | 'keys'>): RequestRoute => ({
  name: reconciler.name,
  requests: (change) => reconciler.keys(change).map((key) => ({ namespace: '', name: key })),
});

/**
 * Sends each reconciler what changes concern it with; of several in one delivery the last, as it works on what it then reads.
 * With `later`, a nonce for each, messages are worked on also where the version is known.
 */
export function requestLane(
  queue: Outlet<ReconcileMessage>,
  reconcilers: readonly RequestRoute[],
  { later }: { later?: () => string } = {},
): Lane {
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
