import type { Clock } from '#lib/machinery/clock.ts';
import type { RemoteService } from './remote-services.ts';

/** The refresh interval in ms, as in upstream. */
const REFRESH = 60_000;

/** The state of one APIService. */
interface Known<T> {
  readonly remote: RemoteService;
  /** The latest response. Undefined if there was none. */
  answer: T | undefined;
  /** The monotonic time of the latest request. */
  at: number;
  asking: Promise<void> | undefined;
  /** Whether the first request is still pending. All callers wait for it. */
  isFirst: boolean;
}

/**
 * Returns the latest response of each server, in the order of the services. Requests a response when a caller needs one, again after a
 * minute, and when the APIService has changed. Waits only for a server that has never responded, and only for one request. A server that
 * fails or is unavailable keeps its previous response. Without `clock`, no server is contacted.
 */
export function keptAnswers<T extends object>(
  clock: Clock | undefined,
  ask: (remote: RemoteService, last: T | undefined) => Promise<T>,
): (services: readonly RemoteService[]) => Promise<readonly (T | undefined)[]> {
  const known = new Map<string, Known<T>>();
  const refresh = (entry: Known<T>, now: number): Promise<void> => {
    entry.at = now;
    return ask(entry.remote, entry.answer)
      .then(
        (answer) => void (entry.answer = answer),
        () => undefined, // a server that is down keeps its previous response
      )
      .finally(() => {
        entry.asking = undefined;
        entry.isFirst = false;
      });
  };
  const answerOf = async (remote: RemoteService): Promise<T | undefined> => {
    const before = known.get(remote.name);
    if (clock === undefined || !remote.isAvailable) return before?.answer;
    const isSame = before?.remote === remote;
    const answer = before?.answer;
    const entry = isSame ? before : { remote, answer, at: 0, asking: undefined, isFirst: answer === undefined };
    known.set(remote.name, entry);
    const now = clock.monotonic();
    if ((!isSame || now - entry.at >= REFRESH) && entry.asking === undefined) entry.asking = refresh(entry, now);
    if (entry.isFirst) await entry.asking;
    return entry.answer;
  };
  return async (services) => {
    const names = new Set(services.map(({ name }) => name));
    for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    return Promise.all(services.map(answerOf));
  };
}
