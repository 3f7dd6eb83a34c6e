import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RpcCode, RpcError, type ServiceClient, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import {
  DevicePluginDefinition,
  RegistrationDefinition,
} from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { eventually } from '#test/support/eventually.ts';
import { dialSocket, type SocketChannel } from './client.ts';
import { type SocketServer, serveSocket, service } from './server.ts';

type Plugin = ServiceClient<DevicePluginDefinition>;
type Handlers = ServiceHandlers<DevicePluginDefinition>;

let folder: string;
let path: string;
let server: SocketServer | undefined;
let channel: SocketChannel;
let plugin: Plugin;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-grpc-'));
  path = join(folder, 'plugins', 'p.sock');
  channel = dialSocket(path, { timeout: 60_000 });
  plugin = channel.client(DevicePluginDefinition);
});
afterEach(async () => {
  channel[Symbol.dispose]();
  await server?.close();
  rmSync(folder, { recursive: true });
});

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));

const serve = async (overrides: Partial<Handlers> = {}): Promise<void> => {
  const handlers: Handlers = {
    getDevicePluginOptions: async () => ({ preStartRequired: true }),
    async *listAndWatch() {
      yield { devices: [{ ID: 'a', health: 'Healthy' }] };
      yield { devices: [] };
    },
    getPreferredAllocation: async () => ({}),
    allocate: async (request) => ({
      containerResponses: request.containerRequests.map(({ devicesIds }) => ({ envs: { IDS: devicesIds.join() } })),
    }),
    preStartContainer: async () => ({}),
    ...overrides,
  };
  server = await serveSocket(path, [service(DevicePluginDefinition, handlers)]);
};

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => (error instanceof RpcError ? [error.code, error.details] : error),
  );

test('a unary call passes its request and response, with zero values for absent fields', async () => {
  await serve();
  expect(await plugin.getDevicePluginOptions({})).toEqual({
    preStartRequired: true,
    getPreferredAllocationAvailable: false,
  });
  const { containerResponses } = await plugin.allocate({ containerRequests: [{ devicesIds: ['a', 'b'] }] });
  expect(containerResponses.map(({ envs }) => envs)).toEqual([{ IDS: 'a,b' }]);
});

test('a stream passes each message in order and ends with its handler', async () => {
  await serve();
  const counts: number[] = [];
  for await (const { devices } of plugin.listAndWatch({})) counts.push(devices.length);
  expect(counts).toEqual([1, 0]);
});

test("aborts the signal of a stream's handler when the reader leaves", async () => {
  let ended = false;
  await serve({
    async *listAndWatch(_, signal) {
      yield { devices: [] };
      await never(signal).catch(() => undefined);
      ended = true;
    },
  });
  for await (const _ of plugin.listAndWatch({})) break;
  await eventually(() => ended);
});

test('receives a stream larger than the flow control window completely', async () => {
  const ID = 'x'.repeat(100_000);
  await serve({
    async *listAndWatch() {
      for (let count = 0; count < 50; count++) yield { devices: [{ ID }] };
    },
  });
  let bytes = 0;
  for await (const { devices } of plugin.listAndWatch({})) bytes += devices[0]?.ID.length ?? 0;
  expect(bytes).toBe(5_000_000);
});

describe('a failed call', () => {
  test.each<[string, Error, RpcCode, string]>([
    ['keeps the code and text of a status', new RpcError('NotFound', 'no such sandbox'), 'NotFound', 'no such sandbox'],
    ['is Unknown for any other error', new Error('no “kéy”'), 'Unknown', 'no “kéy”'],
  ])('%s', async (_, error, code, details) => {
    await serve({
      getDevicePluginOptions: () => Promise.reject(error),
      async *listAndWatch() {
        yield { devices: [] };
        throw error;
      },
    });
    expect(await failure(plugin.getDevicePluginOptions({}))).toEqual([code, details]);
    const stream = plugin.listAndWatch({})[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ done: false });
    expect(await failure(stream.next())).toEqual([code, details]);
  });

  test('is Unimplemented for a service that the peer lacks', async () => {
    await serve();
    const registration = channel.client(RegistrationDefinition);
    expect(await failure(registration.register({}))).toEqual(['Unimplemented', expect.stringContaining('Register')]);
  });

  test('is Unavailable for a socket that does not exist', async () => {
    expect(await failure(plugin.getDevicePluginOptions({}))).toEqual(['Unavailable', expect.stringContaining(path)]);
  });

  test('fails with DeadlineExceeded after its timeout', async () => {
    await serve({ allocate: (_, signal) => never(signal) });
    expect(await failure(plugin.allocate({}, { timeout: 50 }))).toEqual([
      'DeadlineExceeded',
      'context deadline exceeded',
    ]);
  });

  test('is Canceled if its signal aborts, and aborts its handler’s signal', async () => {
    const abort = new AbortController();
    let gone = false;
    await serve({
      allocate: (_, signal) => {
        abort.abort();
        return never(signal).finally(() => (gone = true));
      },
    });
    expect(await failure(plugin.allocate({}, { signal: abort.signal }))).toEqual(['Canceled', 'context canceled']);
    await eventually(() => gone);
    expect(await failure(plugin.allocate({}, { signal: abort.signal }))).toEqual(['Canceled', 'context canceled']);
  });

  test('is ResourceExhausted for a response beyond 16 MiB, but not for one below', async () => {
    const answer = (length: number) => ({ containerResponses: [{ envs: { A: 'x'.repeat(length) } }] });
    await serve({
      allocate: async ({ containerRequests }) => answer(containerRequests.length === 0 ? 2 ** 24 : 2 ** 23),
    });
    expect(await failure(plugin.allocate({}))).toEqual(['ResourceExhausted', expect.any(String)]);
    expect((await plugin.allocate({ containerRequests: [{}] })).containerResponses).toHaveLength(1);
  });
});

test('a channel reaches a peer that restarted', async () => {
  await serve();
  await plugin.getDevicePluginOptions({});
  await server?.close();
  expect(await failure(plugin.getDevicePluginOptions({}))).toEqual(['Unavailable', expect.any(String)]);
  await serve();
  await eventually(async () => !Array.isArray(await failure(plugin.getDevicePluginOptions({}))));
});

test('a channel with waitForReady waits for a peer that starts later', async () => {
  using patient = dialSocket(path, { timeout: 60_000, waitForReady: true });
  const answer = patient.client(DevicePluginDefinition).getDevicePluginOptions({});
  await serve();
  expect(await answer).toMatchObject({ preStartRequired: true });
});

test('a server replaces a socket that an earlier process left', async () => {
  await serve();
  const left = join(folder, 'left.sock');
  const earlier = createServer();
  await new Promise<void>((listening) => earlier.listen(left, listening));
  await using _ = await serveSocket(left, []);
  expect(_).toBeDefined();
  earlier.close();
});

test('close ends active calls and streams', async () => {
  await serve({ allocate: (_, signal) => never(signal) });
  const call = failure(plugin.allocate({}));
  await plugin.getDevicePluginOptions({});
  await server?.close();
  expect(await call).toEqual([expect.stringMatching(/Unavailable|Canceled/), expect.any(String)]);
});
