import { writeFileSync } from 'node:fs';
import { pack, unpack } from '#adapters/aws/dynamodb/pack.ts';
import { MAX_STREAMED } from '#adapters/aws/lambda/limits.ts';
import { systemClock } from '#adapters/clock.ts';
import { cacheBytes } from '#functions/apiserver/cache-bytes.ts';
import { buildApiserver } from '#functions/apiserver/wiring.ts';
import { acceptsGzip, compressResponse } from '#lib/server/endpoints/gzip.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { overriding } from '#lib/storage/cache/builders.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Sequence, StateEntry } from '#lib/storage/sequence.ts';
import { aConfigMap } from '../test/store/fill.ts';

// A function's process in a cgroup: `path accept encoding bytes count memory times cgroup…`. It serves one list this many times, and prints
// the cost.
const [path = '', accept = '', encoding = '', bytes = '', count = '', megabytes = '', times = '', ...groups] =
  process.argv.slice(2);
for (const group of groups) writeFileSync(`${group}/cgroup.procs`, String(process.pid));

const SAMPLES = 64;
const keyOf = (i: number): string => `main//configmaps/ns/m${String(i).padStart(7, '0')}`;
const packed = Array.from({ length: SAMPLES }, (_, i) =>
  pack(Buffer.from(JSON.stringify(aConfigMap(keyOf(i), Number(bytes))))),
);

const length = Math.max(...packed.map((one) => unpack(one).length));

/** This many objects, which are decompressed while they are read, like those of a table. */
async function* entries(start: string, prefix: string): AsyncGenerator<StateEntry> {
  for (let i = 0; i < Number(count); i++) {
    const key = keyOf(i);
    if (key < start || !key.startsWith(prefix)) continue;
    if (i % 100 === 0) await new Promise(setImmediate);
    yield { key, version: 1, body: unpack(packed[i % SAMPLES] ?? new Uint8Array()) };
  }
}

const memory = new MemoryStore({ clock: systemClock, retention: 3_600_000 });
const opened = new Map<string, Sequence>();
const store = {
  names: () => memory.names(),
  close: () => memory.close(),
  sequence(name: string): Sequence {
    const inner = memory.sequence(name);
    const large = overriding(inner, {
      snapshot: async ({ prefix, start = '' }) => ({ from: 1, entries: entries(start, prefix) }),
      extent: async () => ({ from: 1, objects: Number(count), bytes: Number(count) * length }),
    });
    const sequence = opened.get(name) ?? (name === 'main//configmaps' ? large : inner);
    opened.set(name, sequence);
    return sequence;
  },
};

const server = buildApiserver({
  store,
  clock: systemClock,
  exclusive: false,
  cacheBytes: cacheBytes(Number(megabytes) * 2 ** 20),
  serverAddress: '127.0.0.1:443',
  tokens: new Map(),
  // A repeated list is cached, regardless of the length of the response.
  lists: times === '1' ? { maxBytes: MAX_STREAMED } : {},
  reportFault: (_, error) => console.error(error),
});

const seconds = (): number => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
const mainSeconds = (): number => process.threadCpuUsage().user / 1e6 + process.threadCpuUsage().system / 1e6;
const begun = seconds();
const begunMain = mainSeconds();
let first = 0;
let last = 0;
let answered = 0;
let requests = 0;
let status = 0;
for (let time = 0; time < Number(times); time++) {
  const before = seconds();
  for (let next = ''; ; ) {
    const answer = await get(next);
    next = /"continue":"([^"]+)"/.exec(answer)?.[1] ?? '';
    if (next === '' || status !== 200) break;
  }
  last = seconds() - before;
}
const { maxRSS } = process.resourceUsage();
console.log(
  JSON.stringify({
    status,
    requests,
    megabytes: answered / 1e6,
    first,
    seconds: seconds() - begun,
    main: mainSeconds() - begunMain,
    last,
    maxRSS: maxRSS / 1024,
  }),
);
process.exit(0);

/** The start of the response, which is read completely. */
async function get(next: string): Promise<string> {
  requests++;
  const [route = '', query = ''] = path.split('?');
  const asked = new URLSearchParams(query);
  if (next !== '') asked.set('continue', next);
  const controller = new AbortController();
  const request: ApiRequest = {
    method: 'GET',
    path: route,
    query: asked,
    headers: { authorization: `Bearer ${server.loopbackToken}`, accept, 'accept-encoding': encoding },
    body: async () => new Uint8Array(),
    signal: () => controller.signal,
  };
  const response = await server.handle(request);
  ({ status } = response);
  const { body } = acceptsGzip(request) ? await compressResponse(response) : response;
  let head = '';
  const take = (chunk: Uint8Array | string): void => {
    if (answered === 0) first = seconds() - begun;
    if (head === '') head = Buffer.from(chunk.slice(0, 2000)).toString();
    answered += chunk.length;
    if (String(chunk.slice(-2000)).includes('"k8s.io/initial-events-end"')) controller.abort();
  };
  if (typeof body === 'string' || body instanceof Uint8Array) take(body);
  else for await (const chunk of body) take(chunk);
  return head;
}
