import { AsyncLocalStorage } from 'node:async_hooks';
import type { Version } from '#lib/storage/sequence.ts';

/** The piece of work that a call belongs to. */
interface Work {
  /** The platform's name of the invocation of the function. */
  readonly requestId?: string;
  /** The attempt of a reconciler, whose requests have it as their audit id. */
  readonly invocation?: string;
  /** Log positions that this piece committed: `SEQUENCE@VERSION`. */
  readonly writes?: string[];
}

const current = new AsyncLocalStorage<Work>();

/** Runs a piece of work within the one that calls. Lines that it logs have its `requestId`. */
export const duringWork = <T>(work: Pick<Work, 'requestId' | 'invocation'>, run: () => T): T =>
  current.run({ ...current.getStore(), ...work }, run);

/** The platform's name of the invocation that calls, if there is one. */
export const currentRequestId = (): string | undefined => current.getStore()?.requestId;

/** A log position as lines have it. */
export const positionText = (sequence: string, version: Version): string => `${sequence}@${version}`;

/** Notes that the piece of work that calls committed a change. */
export const noteCommit = (sequence: string, version: Version): void =>
  void current.getStore()?.writes?.push(positionText(sequence, version));

/** Runs a request. Resolves with its result and the positions that it committed, oldest first. */
export async function collectCommits<T>(run: () => Promise<T>): Promise<readonly [T, readonly string[]]> {
  const writes: string[] = [];
  return [await current.run({ ...current.getStore(), writes }, run), writes];
}

interface Carrying {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** `handle`; requests of an attempt of a reconciler have the attempt's id as their audit id. */
export function carryingInvocation<Request extends Carrying, Response>(
  handle: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return (request) => {
    const id = current.getStore()?.invocation;
    if (id === undefined || request.headers['audit-id'] !== undefined) return handle(request);
    return handle({ ...request, headers: { ...request.headers, 'audit-id': id } });
  };
}
