import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { onLoopback } from '#test/support/loopback.ts';
import { Environment, type FunctionOptions } from './environment.ts';

const PATH = /^\/2021-11-15\/functions\/([^/]+)\/response-streaming-invocations$/;

/** Runs a function in one environment, and returns the bytes of its response as they are written. */
export type Run = (event: object) => Promise<AsyncIterable<Uint8Array>>;

/** An error response of the platform. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, name: string) {
    super(name);
    this.status = status;
  }
}

/** Lambda's API, limited to invocations of functions with streamed responses (InvokeWithResponseStream). */
export async function startLambdaApi(runs: Readonly<Record<string, Run>>) {
  const server = createServer((request, response) => {
    serve(runs, request, response).catch(() => response.destroy());
  });
  const { port, close } = await onLoopback(server);
  return { url: `http://127.0.0.1:${port}`, close };
}

/** A function in environments with the runtime's program. Each environment handles one event at a time. */
export function inEnvironments(options: FunctionOptions): { readonly run: Run; stop(): Promise<void> } {
  const environments: Environment[] = [];
  return {
    async run(event) {
      let environment = environments.find(({ isBusy }) => !isBusy);
      if (environment === undefined) environments.push((environment = await Environment.start(options)));
      return environment.invoke(event).raw();
    },
    stop: async () => void (await Promise.all(environments.map((one) => one.stop()))),
  };
}

async function serve(
  runs: Readonly<Record<string, Run>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const run = runs[PATH.exec(request.url ?? '')?.[1] ?? ''];
  try {
    if (run === undefined) throw new Refusal(404, 'ResourceNotFoundException');
    const bytes = await run(JSON.parse(Buffer.concat(parts).toString()) as object).catch(asFailed);
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).flushHeaders();
    let end: object = {};
    try {
      for await (const chunk of bytes) response.write(message('PayloadChunk', 'application/octet-stream', chunk));
    } catch (error) {
      end = { ErrorCode: 'Unhandled', ErrorDetails: String(error) };
    }
    response.end(message('InvokeComplete', 'application/json', Buffer.from(JSON.stringify(end))));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    response.writeHead(error.status, { 'content-type': 'application/json', 'x-amzn-errortype': error.message });
    response.end(JSON.stringify({ Message: 'as the test wants' }));
  }
}

/** The response of a function that fails before it responds: no bytes, with the error at its end. */
async function* failing(error: unknown): AsyncGenerator<Uint8Array> {
  yield* [];
  throw error;
}

const asFailed = (error: unknown): AsyncIterable<Uint8Array> => {
  if (error instanceof Refusal) throw error;
  return failing(error);
};

/** One vnd.amazon.eventstream message: lengths, their checksum, headers, payload, and the checksum of the whole message. */
function message(type: string, contentType: string, payload: Uint8Array): Buffer {
  const headers = Buffer.concat([
    header(':message-type', 'event'),
    header(':event-type', type),
    header(':content-type', contentType),
  ]);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + headers.length + payload.length + 4, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const all = Buffer.concat([prelude, headers, payload]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(all));
  return Buffer.concat([all, sum]);
}

/** The value of a header is a string (type 7). */
function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
}
