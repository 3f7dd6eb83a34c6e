import { messageOfError } from '#lib/machinery/error-message.ts';
import { internalError, StatusError } from '#lib/machinery/errors.ts';
import type { DefinedAggregatedApi } from './define-aggregated-api.ts';
import type { AggregatedRequest } from './scope.ts';
import type { ConnectSession, SessionLink, SessionMessage } from './session.ts';
import type { ConnectContext } from './storage.ts';

/**
 * Serves a session with the author's function in the same thread. Resolves when the function returns, or if it fails after the end of the
 * session. Otherwise rejects with a StatusError. An unknown error is logged to the author's log.
 */
export async function connectAggregatedApi(
  api: DefinedAggregatedApi,
  { info, user, log, query }: Pick<AggregatedRequest, 'info' | 'user' | 'log'> & Pick<ConnectContext, 'query'>,
  link: SessionLink,
): Promise<void> {
  const { signal } = link;
  const of = api.resources.get(info.resource)?.subresources ?? {};
  const found = Object.hasOwn(of, info.subresource) ? of[info.subresource] : undefined;
  if (found?.connect === undefined) throw new TypeError(`${info.resource}/${info.subresource} does not connect`);
  const { name, namespace } = info;
  const session = new AuthorSession(link);
  try {
    await found.connect(session, { name, namespace, user, log, query, signal });
    await session.sent;
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof StatusError) throw error;
    log.error(messageOfError(error));
    throw internalError(`the aggregated API ${api.declaration.name} failed; its log says why`);
  }
}

type Next = IteratorResult<SessionMessage, undefined>;

/** The author's side of a link. Messages are handled in order, even if the author does not await each call. */
class AuthorSession implements ConnectSession {
  readonly protocol: string;
  /** A loop that ends early leaves the remaining messages to the next one. */
  readonly messages: AsyncIterable<SessionMessage> = {
    [Symbol.asyncIterator]: () => ({ next: () => this.#next() }),
  };
  readonly #link: SessionLink;
  #received: Promise<unknown> = Promise.resolve();
  #sent: Promise<void> = Promise.resolve();

  constructor(link: SessionLink) {
    this.#link = link;
    this.protocol = link.protocol;
  }

  /** Resolves when all messages so far have been sent or have failed. */
  get sent(): Promise<void> {
    return this.#sent;
  }

  readonly send = async (message: SessionMessage): Promise<void> => {
    if (typeof message !== 'string' && !(message instanceof Uint8Array))
      throw new TypeError('a message of a session is a string or a Uint8Array');
    this.#link.open();
    const sent = this.#sent.then(() => this.#link.send(message));
    this.#sent = sent.catch(() => undefined);
    return sent;
  };

  #next(): Promise<Next> {
    this.#link.open();
    const next = this.#received.then(async (): Promise<Next> => {
      const value = await this.#link.receive();
      return value === undefined ? { done: true, value } : { done: false, value };
    });
    this.#received = next.catch(() => undefined);
    return next;
  }
}
