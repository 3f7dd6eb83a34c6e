import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AnswerHead, readHead } from '#adapters/aws/lambda/answer-head.ts';

const FAILED = 'lambda-runtime-function-error-type';

/** One event and its response: a head in JSON, eight zero bytes, then the streamed body. */
export class Exchange {
  readonly #answer = Promise.withResolvers<IncomingMessage>();
  readonly #done = Promise.withResolvers<void>();

  constructor() {
    this.#answer.promise.catch(() => undefined);
    this.#done.promise.catch(() => undefined);
  }

  /** Settles when the function has finished with the event. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  answer(answer: IncomingMessage): void {
    this.#answer.resolve(answer);
    void once(answer, 'end').then(
      () => this.#done.resolve(),
      (error: unknown) => this.#done.reject(error),
    );
  }

  fail(error: Error): void {
    this.#answer.reject(error);
    this.#done.reject(error);
  }

  /** The whole response of a function that does not stream. */
  async json(): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.#answer.promise) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString());
  }

  /** The bytes as the function writes them. The iterator throws if the function fails midway. */
  async raw(): Promise<AsyncIterable<Uint8Array>> {
    const answer = await this.#answer.promise;
    return unlessFailed(answer, answer as AsyncIterable<Uint8Array>);
  }

  /** The head and the body. The body throws if the function fails midway. */
  async read(): Promise<{ readonly head: AnswerHead; readonly body: AsyncIterable<Uint8Array> }> {
    const answer = await this.#answer.promise;
    const { head, body } = await readHead(answer as AsyncIterable<Uint8Array>);
    return { head, body: unlessFailed(answer, body) };
  }
}

async function* unlessFailed(
  answer: IncomingMessage,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  yield* body;
  if (answer.trailers[FAILED] !== undefined) throw new Error('the function failed while it answered');
}
