import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreV1Api, type Informer, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import type { ApiConnection } from './api-connection.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { DataDirectory, DavitProcess } from './davit-process.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const LABEL = { informed: 'yes' };

/** An informer that restarts after each error, and records its notifications. */
class Follower implements AsyncDisposable {
  readonly told: string[] = [];
  errors = 0;
  connects = 0;
  readonly #informer: Informer<V1ConfigMap>;
  #ended = false;

  constructor(kubeconfig: KubeConfig) {
    const api = kubeconfig.makeApiClient(CoreV1Api);
    const labelSelector = 'informed=yes';
    const list = () => api.listNamespacedConfigMap({ namespace: 'default', labelSelector });
    this.#informer = makeInformer(kubeconfig, CONFIG_MAPS, list, labelSelector);
    for (const verb of ['add', 'update', 'delete'] as const) {
      this.#informer.on(verb, ({ metadata, data }) => this.told.push(`${verb} ${metadata?.name} ${data?.['at']}`));
    }
    this.#informer.on('connect', () => this.connects++);
    this.#informer.on('error', () => void this.#again());
  }

  start(): Promise<void> {
    return this.#informer.start();
  }

  async #again(): Promise<void> {
    this.errors++;
    await sleep(50);
    if (!this.#ended) await this.#informer.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#informer.stop();
  }
}

/** Creates and updates an object, and deletes it if `at` is odd. Returns the notifications that an informer must send, in order. */
async function writeOne(api: ApiConnection, at: number): Promise<string[]> {
  const name = `object-${at}`;
  const body = (stage: string): object => ({ metadata: { name, labels: LABEL }, data: { at: stage } });
  await api.json('POST', CONFIG_MAPS, body('first'));
  await api.json('PUT', `${CONFIG_MAPS}/${name}`, body('second'));
  const told = [`add ${name} first`, `update ${name} second`];
  if (at % 2 === 0) return told;
  await api.json('DELETE', `${CONFIG_MAPS}/${name}`);
  return [...told, `delete ${name} second`];
}

function loadKubeconfig(path: string, server?: string): KubeConfig {
  const kubeconfig = new KubeConfig();
  const text = readFileSync(path, 'utf8');
  kubeconfig.loadFromString(server === undefined ? text : text.replace(/server: \S+/, `server: ${server}`));
  return kubeconfig;
}

test('an informer whose connections are cut repeatedly reports every change once, in order', async () => {
  using directory = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path);
  await using proxy = await CuttingProxy.to(davit.port);
  using api = davit.connect();
  const expected = await writeOne(api, 0);
  await using follower = new Follower(loadKubeconfig(davit.kubeconfig, proxy.url));
  await follower.start();
  let cut = 0;
  for (let at = 1; at <= 60; at++) {
    expected.push(...(await writeOne(api, at)));
    if (at % 10 === 5) cut += proxy.cut();
    if (at % 10 === 9) await eventually(() => expect(follower.told.length).toBeGreaterThanOrEqual(expected.length - 1));
  }
  await eventually(() => expect(follower.told.at(-1)).toBe(expected.at(-1)));
  // An object that existed before the list is reported in its last state.
  expect(follower.told).toEqual(['add object-0 second', ...expected.slice(2)]);
  expect(cut).toBeGreaterThan(3);
  expect(follower.errors + follower.connects).toBeGreaterThan(cut);
});

test('an informer resumes when the server is killed and restarted with the same data', async () => {
  using directory = new DataDirectory();
  const port = await freePort();
  const expected: string[] = [];
  const first = await DavitProcess.start(directory.path, port);
  await using follower = new Follower(loadKubeconfig(first.kubeconfig));
  await follower.start();
  for (let life = 0; life < 4; life++) {
    await using davit = life === 0 ? first : await DavitProcess.start(directory.path, port);
    using api = davit.connect();
    for (let at = 0; at < 5; at++) expected.push(...(await writeOne(api, life * 10 + at)));
    if (life % 2 === 0) await eventually(() => expect(follower.told.length).toBe(expected.length));
    await davit.program.ended(life === 2 ? 'SIGTERM' : 'SIGKILL');
  }
  await using last = await DavitProcess.start(directory.path, port);
  using api = last.connect();
  expected.push(...(await writeOne(api, 99)));
  await eventually(() => expect(follower.told.at(-1)).toBe(expected.at(-1)));
  expect(follower.told).toEqual(expected);
});
