import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CallOptions, RpcError, type ServiceDefinition, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import { ImageServiceDefinition, RuntimeServiceDefinition } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';
import { serveSocket, service } from '../server.ts';
import { socketOf } from './endpoint.ts';
import { connectRuntime } from './runtime-services.ts';
import { withImageTimeouts, withTimeouts } from './timeouts.ts';

test.each([
  ['unix:///run/containerd/containerd.sock', '/run/containerd/containerd.sock'],
  ['/run/containerd/containerd.sock', '/run/containerd/containerd.sock'],
  ['unix:/run/c.sock', '/run/c.sock'],
  ['unix:///run/a%20b.sock', '/run/a b.sock'],
])('parses the endpoint %s as the socket %s', (endpoint, path) => {
  expect(socketOf(endpoint)).toBe(path);
});

test.each([
  ['tcp://localhost:9090', 'only support unix socket endpoint'],
  ['npipe://./pipe/mypipe', 'protocol "npipe" not supported'],
  ['https://example.com/', 'protocol "https" not supported'],
])('rejects the endpoint %s: %s', (endpoint, why) => {
  expect(() => socketOf(endpoint)).toThrow(why);
});

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'davit-cri-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A service whose calls return Unimplemented, except for the given calls. */
const only = <D extends ServiceDefinition>(
  definition: D,
  handlers: Partial<ServiceHandlers<D>>,
): ServiceHandlers<D> => {
  const missing = Object.keys(definition.methods).map((name) => [
    name,
    () => Promise.reject(new RpcError('Unimplemented', `unknown method ${name}`)),
  ]);
  return { ...Object.fromEntries(missing), ...handlers };
};

const VERSION = { version: '0.1.0', runtimeName: 'fake', runtimeVersion: '1', runtimeApiVersion: 'v1' };

const serving = (
  runtime: Partial<ServiceHandlers<RuntimeServiceDefinition>>,
  images: Partial<ServiceHandlers<ImageServiceDefinition>> = { imageFsInfo: async () => ({}) },
) =>
  serveSocket(join(folder, 'c.sock'), [
    service(RuntimeServiceDefinition, only(RuntimeServiceDefinition, { version: async () => VERSION, ...runtime })),
    service(ImageServiceDefinition, only(ImageServiceDefinition, images)),
  ]);

const endpoint = (): string => `unix://${join(folder, 'c.sock')}`;

test('connects both services over one socket, and optional calls are Unimplemented', async () => {
  await using _ = await serving({ listContainers: async () => ({ containers: [{ id: 'a' }] }) });
  using services = await connectRuntime({ endpoint: endpoint() });
  expect((await services.runtime.listContainers({})).containers.map(({ id }) => id)).toEqual(['a']);
  await expect(services.runtime.runtimeConfig({})).rejects.toMatchObject({ code: 'Unimplemented' });
  expect(await services.images.imageFsInfo({})).toEqual({ imageFilesystems: [], containerFilesystems: [] });
});

test('reports each call and its end on both services', async () => {
  const told: string[] = [];
  const observe = (method: string) => (isFailed: boolean) => void told.push(`${method} ${isFailed ? 'fails' : 'ends'}`);
  await using _ = await serving({});
  using services = await connectRuntime({ endpoint: endpoint(), observe });
  await expect(services.runtime.runtimeConfig({})).rejects.toMatchObject({ code: 'Unimplemented' });
  await services.images.imageFsInfo({});
  expect(told).toEqual(['Version ends', 'ImageFsInfo ends', 'RuntimeConfig fails', 'ImageFsInfo ends']);
});

test('names the service that does not respond', async () => {
  const path = endpoint();
  await expect(connectRuntime({ endpoint: path })).rejects.toThrow(
    `validate service connection: validate CRI v1 runtime API for endpoint "${path}": rpc error: code = Unavailable desc = `,
  );
  await using _ = await serving({}, {});
  await expect(connectRuntime({ endpoint: path })).rejects.toThrow(
    `validate service connection: validate CRI v1 image API for endpoint "${path}": rpc error: code = Unimplemented`,
  );
});

test('rejects responses without fields that the kubelet needs', async () => {
  const sandbox = { id: 's', metadata: { name: 'p', namespace: 'd', uid: 'u' }, createdAt: 1n };
  const statuses = [
    sandbox,
    { ...sandbox, id: '' },
    { ...sandbox, metadata: { name: 'p' } },
    { ...sandbox, createdAt: 0 },
  ];
  await using _ = await serving(
    {
      runPodSandbox: async () => ({}),
      exec: async () => ({}),
      status: async () => ({ status: { conditions: [{}] } }),
      podSandboxStatus: async () => ({ status: statuses.shift() }),
    },
    { imageFsInfo: async () => ({}), imageStatus: async () => ({ image: { id: 'i' } }) },
  );
  using services = await connectRuntime({ endpoint: endpoint() });
  const { runtime, images } = services;
  await expect(runtime.runPodSandbox({ config: { metadata: { name: 'p' } } })).rejects.toThrow(
    'PodSandboxId is not set for sandbox "p"',
  );
  await expect(runtime.exec({})).rejects.toThrow('URL is not set');
  await expect(runtime.status({})).rejects.toThrow('RuntimeReady or NetworkReady condition are not set');
  await expect(images.imageStatus({ image: { image: 'x' } })).rejects.toThrow('Id or size of image "x" is not set');
  await expect(runtime.podSandboxStatus({})).resolves.toMatchObject({ status: { id: 's' } });
  await expect(runtime.podSandboxStatus({})).rejects.toThrow('status.Id is not set');
  await expect(runtime.podSandboxStatus({})).rejects.toThrow('metadata.Name, metadata.Namespace or metadata.Uid');
  await expect(runtime.podSandboxStatus({})).rejects.toThrow('status.CreatedAt is not set');
});

test('uses upstream’s time-outs for long calls', async () => {
  const asked: [string, number | undefined][] = [];
  const recording = (name: string) => async (_: unknown, options?: CallOptions) => {
    asked.push([name, options?.timeout]);
    throw new RpcError('Unavailable', '');
  };
  const names = ['runPodSandbox', 'stopContainer', 'execSync', 'checkpointContainer', 'startContainer'];
  const fake = Object.fromEntries([...names, 'pullImage', 'listImages'].map((name) => [name, recording(name)]));
  const runtime = withTimeouts(fake as unknown as RuntimeService, 120_000);
  const images = withImageTimeouts(fake as unknown as ImageService);
  const calls = [
    runtime.runPodSandbox({}),
    runtime.stopContainer({ timeout: 30n }),
    runtime.execSync({ timeout: 5n }),
    runtime.execSync({}),
    runtime.checkpointContainer({ timeout: 300n }),
    runtime.execSync({ timeout: 5n }, { timeout: 7 }),
    runtime.startContainer({}),
    images.pullImage({}),
    images.listImages({}),
  ];
  await Promise.allSettled(calls);
  expect(asked).toEqual([
    ['runPodSandbox', 240_000],
    ['stopContainer', 150_000],
    ['execSync', 125_000],
    ['execSync', Infinity],
    ['checkpointContainer', 300_000],
    ['execSync', 7],
    ['startContainer', undefined],
    ['pullImage', Infinity],
    ['listImages', undefined],
  ]);
});
