import { systemClock } from '#adapters/clock.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { RETENTION, serverInProcess } from '#test/support/server-in-process.ts';
import { type Answer, type FrontDoor, type Sent, wire } from './front-door.ts';

export const TOKEN = 'administrator';

/** The core with a store in memory. */
export async function coreInProcess(clock: Clock = systemClock) {
  const store = new MemoryStore({ clock, retention: RETENTION });
  const tokens = new Map([[TOKEN, { name: 'admin', groups: [SYSTEM_MASTERS] }]]);
  const { server, faults } = serverInProcess({ store, clock, tokens });
  const close = async (): Promise<void> => {
    await server.close();
    await store.close();
  };
  return { faults, store, handle: server.handle, close };
}

/** The core itself, without HTTP. `compact` folds every log and removes versions older than the retention. */
export async function inProcess(clock: Clock = systemClock): Promise<FrontDoor & { compact(): Promise<void> }> {
  const { faults, store, handle, close } = await coreInProcess(clock);
  const call = (sent: Sent, signal: AbortSignal): Promise<ApiResponse> => handle(request(sent, signal));
  return {
    faults,
    limitsBodies: false,
    async send(sent) {
      return answerOf(await call(sent, new AbortController().signal));
    },
    async stream(sent) {
      const gone = new AbortController();
      const response = await call(sent, gone.signal);
      return {
        status: response.status,
        headers: joined(response),
        chunks: parts(response.body),
        leave: () => gone.abort(),
      };
    },
    async compact() {
      for (const name of await store.names()) await store.sequence(name).compact();
    },
    close,
  };
}

export function request(sent: Sent, signal: AbortSignal): ApiRequest {
  const { method, path, headers, bytes } = wire(sent, TOKEN);
  const [before = '', query = ''] = path.split('?');
  const body = async () => bytes ?? new Uint8Array();
  return { method, path: before, query: new URLSearchParams(query), headers, body, signal: () => signal };
}

/** A response that is read to its end. */
export async function answerOf(response: ApiResponse): Promise<Answer> {
  return { status: response.status, headers: joined(response), bytes: await whole(response.body) };
}

function joined({ headers }: ApiResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

async function* parts(body: ApiResponse['body']): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

async function whole(body: ApiResponse['body']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of parts(body)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
