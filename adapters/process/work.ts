import { AsyncLocalStorage } from 'node:async_hooks';
import type { Version } from '#lib/storage/sequence.ts';

/** The unit of work to which a call belongs. */
interface Work {
  /** The platform's id of the function's invocation. */
  readonly requestId?: string;
  /** The id of a reconciler's attempt. Its requests use it as their audit id. */
  readonly invocation?: string;
  /** Log positions that this unit of work committed: `SEQUENCE@VERSION`. */
  readonly writes?: string[];
}

const current = new AsyncLocalStorage<Work>();

/** Runs a unit of work within the caller's. Its log lines include its `requestId`. */
export const duringWork = <T>(work: Pick<Work, 'requestId' | 'invocation'>, run: () => T): T =>
  current.run({ ...current.getStore(), ...work }, run);

/** The platform's id of the current invocation, if any. */
export const currentRequestId = (): string | undefined => current.getStore()?.requestId;

/** A log position in the format of log lines. */
export const positionText = (sequence: string, version: Version): string => `${sequence}@${version}`;

/** Records that the current unit of work committed a change. */
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

/** Wraps `handle` so that requests of a reconciler's attempt have the attempt's id as their audit id. */
export function carryingInvocation<Request extends Carrying, Response>(
  handle: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return (request) => {
    const id = current.getStore()?.invocation;
    if (id === undefined || request.headers['audit-id'] !== undefined) return handle(request);
    return handle({ ...request, headers: { ...request.headers, 'audit-id': id } });
  };
}
