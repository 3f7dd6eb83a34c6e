import type { Clock } from '#lib/machinery/clock.ts';
import type { RemoteService } from './remote-services.ts';

/** Milliseconds until a server is asked again: upstream's. */
const REFRESH = 60_000;

/** The state of one APIService. */
interface Known<T> {
  readonly remote: RemoteService;
  /** The last answer; undefined where there was none. */
  answer: T | undefined;
  /** Monotonic; when it was asked for. */
  at: number;
  asking: Promise<void> | undefined;
  /** Whether the first question is still open: all who ask wait for it. */
  isFirst: boolean;
}

/**
 * The last answer of each server, in the order of the services: asked for when somebody needs it, again after a minute or when the
 * APIService has changed. Only a server that has never answered is waited for, and only for one question. One that fails, or is not
 * available, keeps the answer that it gave. Without `clock` no server is asked.
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
        () => undefined, // a server that is down keeps the answer that it gave
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
