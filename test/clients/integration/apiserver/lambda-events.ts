import { readHead } from '#adapters/aws/lambda/answer-head.ts';
import { answerEvent, type Door } from '#adapters/aws/lambda/door.ts';
import { functionUrlRequest } from '#adapters/aws/lambda/function-url.ts';
import { restRequest } from '#adapters/aws/lambda/rest.ts';
import { functionUrlEvent, PlatformStream, restEvent, type Sent as Wire } from '#adapters/aws/lambda/testing.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type FrontDoor, type Sent, type Stream, wire } from './front-door.ts';
import { coreInProcess, TOKEN } from './in-process.ts';

/** The core behind the events of a function URL. */
export const functionUrl = (): Promise<FrontDoor> => behindEvents(functionUrlRequest, functionUrlEvent);

/** The core behind the events of a REST API. */
export const restApi = (): Promise<FrontDoor> => behindEvents(restRequest, restEvent);

async function behindEvents<Event>(
  toRequest: Door<Event>['toRequest'],
  eventOf: (sent: Wire) => Event,
): Promise<FrontDoor> {
  const { faults, handle, close } = await coreInProcess();
  const door: Door<Event> = { toRequest, handle, vouched: () => undefined };
  const context = { getRemainingTimeInMillis: () => 900_000 };
  const stream = async (sent: Sent): Promise<Stream> => {
    const { method, path, headers, bytes } = wire(sent, TOKEN);
    const event = eventOf({
      method,
      target: path,
      headers: Object.entries(headers),
      ...defined({ body: bytes }),
    });
    const answer = new PlatformStream();
    answerEvent(door, event, { stream: answer, withHead: PlatformStream.withHead, context }).catch((error: Error) =>
      answer.destroy(error),
    );
    const { head, body } = await readHead(answer);
    return { status: head.statusCode, headers: head.headers, chunks: body, leave: () => answer.destroy() };
  };
  return {
    faults,
    limitsBodies: true,
    stream,
    async send(sent) {
      const { status, headers, chunks } = await stream(sent);
      const parts: Uint8Array[] = [];
      for await (const part of chunks) parts.push(part);
      return { status, headers, bytes: Buffer.concat(parts) };
    },
    close,
  };
}
