import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { placeAt } from '#local/run/kubeconfig-place.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { buildGoInformer } from '#test/support/clients/go-operator.ts';
import { oldestKubectl } from '#test/support/clients/kubectl.ts';
import { eventually } from '#test/support/eventually.ts';
import { WIDGETS, widget } from '#test/support/lambda/widgets.ts';
import { startWorld } from '#test/support/lambda/world.ts';
import { mortal } from '#test/support/mortal.ts';
import { needing } from '#test/support/skip.ts';

/** Long enough for a write by a client in this process, which does not have to start a program. */
const WATCH_SECONDS = 8;
const world = await startWorld({
  concurrency: 8,
  env: { DAVIT_WATCH_SECONDS: String(WATCH_SECONDS), DAVIT_WATCH_SLOTS: '4' },
});
const client = await oldestKubectl();
const informer = await buildGoInformer();

const execute = promisify(execFile);
/** The size in bytes of the largest response that a function may return unstreamed. */
const BUFFERED = 6 * 1024 * 1024;
const there = () => {
  if ('missing' in world) throw new Error(world.missing);
  return { ...world, program: pathOf(client) };
};
const run = (...args: string[]) => {
  const { program, kubeconfig } = there();
  return execute(program, ['--kubeconfig', kubeconfig, ...args], { timeout: 90_000, maxBuffer: 4 * BUFFERED });
};
const kubectl = async (...args: string[]): Promise<string> => (await run(...args)).stdout;
const watches = (): number => there().front.asked.filter((target) => target.includes('watch=true')).length;

function apply(manifest: object, verb = 'apply'): Promise<string> {
  const applied = run(verb, '-f', '-');
  applied.child.stdin?.end(JSON.stringify(manifest));
  return applied.then(({ stdout }) => stdout);
}

const configMap = (name: string, at: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { at },
});
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const named = (name: string) => ({ resource: CONFIG_MAPS, namespace: 'default', name });

describe('the API server as a function with a function URL', needing(world, client), () => {
  let connection: ApiConnection;
  let direct: Client;
  beforeAll(async () => {
    await kubectl('version');
    connection = new ApiConnection((await placeAt(there().kubeconfig)).remote);
    direct = apiClient({ handle: (request) => connection.handle(request), userAgent: 'test' });
  });
  afterAll(async () => {
    connection?.[Symbol.dispose]();
    if (!('missing' in world)) await world[Symbol.asyncDispose]();
  });

  test('authenticates its administrator by a token that STS verifies, and no client without one', async () => {
    expect(await kubectl('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}')).toContain('system:masters');
    await expect(kubectl('get', 'namespaces', '--token', 'another')).rejects.toThrow('must be logged in');
  });

  test('streams /openapi/v2 as protobuf, which kubectl uses to validate a List', async () => {
    const items = [configMap('listed-1', 'a'), configMap('listed-2', 'b')];
    expect(await apply({ apiVersion: 'v1', kind: 'List', items })).toContain('configmap/listed-2 created');
    expect(there().front.asked).toContainEqual(expect.stringMatching(/^\/openapi\/v2/));
  });

  test('serves a definition and its objects to kubectl', async () => {
    await apply(WIDGETS);
    const established = '{.status.conditions[?(@.type=="Established")].status}';
    const ask = () => kubectl('get', 'crd', 'widgets.example.com', '-o', `jsonpath=${established}`);
    await eventually(async () => expect(await ask()).toBe('True'));
    expect(await apply(widget(1))).toContain('created');
    expect(await apply(widget(2))).toContain('configured');
    await expect(apply(widget(0))).rejects.toThrow('should be greater than or equal to 1');
    expect(await kubectl('get', 'widget', 'one', '-o', 'jsonpath={.spec.size}')).toBe('2');
    expect(await kubectl('delete', 'widget', 'one')).toContain('deleted');
  });

  test('returns a whole list that is larger than one response of a function, even when compressed', async () => {
    const items = Array.from({ length: 9 }, (_, i) => ({
      apiVersion: 'apps/v1', // a kind that no other test uses, because every instance that serves it reads all of these bytes
      kind: 'ControllerRevision',
      revision: 1,
      metadata: { name: `large-${i}`, namespace: 'default', labels: { size: 'large' } },
      data: { at: randomBytes(900_000).toString('base64') },
    }));
    await apply({ apiVersion: 'v1', kind: 'List', items }, 'create');
    const text = await kubectl(
      'get',
      '--raw',
      '/apis/apps/v1/namespaces/default/controllerrevisions?labelSelector=size%3Dlarge',
    );
    const list = JSON.parse(text) as { items: readonly { metadata: object; data: object }[] };
    const byName = new Map(items.map((item) => [item.metadata.name, item]));
    expect(list.items).toHaveLength(byName.size);
    for (const { metadata, data } of list.items) {
      const { name } = metadata as { name: string };
      expect(Buffer.from(JSON.stringify(data)).equals(Buffer.from(JSON.stringify(byName.get(name)?.data)))).toBe(true);
    }
    expect(there().front.largest).toBeGreaterThan(BUFFERED);
  });

  test('a watch of kubectl receives changes, and ends cleanly at its deadline', async () => {
    await direct.create(CONFIG_MAPS, configMap('watched', 'first'));
    const before = performance.now();
    const watch = run('get', 'configmap', 'watched', '-w', '-o', 'jsonpath={.data.at}{"\\n"}');
    await once(watch.child.stdout ?? watch.child, 'data');
    await direct.patch(named('watched'), { data: { at: 'second' } });
    expect((await watch).stdout.split('\n').filter(Boolean)).toEqual(['first', 'second']);
    expect(performance.now() - before).toBeGreaterThan(WATCH_SECONDS * 1000);
  });

  test('an informer of client-go loses and repeats nothing over several deadlines', needing(informer), async () => {
    const { kubeconfig } = there();
    const child = mortal(spawn(pathOf(informer), ['-kubeconfig', kubeconfig], { stdio: ['pipe', 'pipe', 'inherit'] }));
    const told: string[] = [];
    const lines = createInterface(child.stdout);
    const synced = Promise.withResolvers<void>();
    lines.on('line', (line) => (line === 'synced' ? synced.resolve() : told.push(line)));
    await synced.promise;
    const [known, opened] = [told.length, watches()];
    const expected: string[] = [];
    for (let i = 0; watches() < opened + 3; i++) {
      const name = `object-${i}`;
      await direct.create(CONFIG_MAPS, configMap(name, 'first'));
      await direct.patch(named(name), { data: { at: 'second' } });
      await direct.delete(named(name));
      expected.push(`add ${name} first`, `update ${name} second`, `delete ${name} second`);
    }
    await eventually(() => expect(told.slice(known)).toEqual(expected));
    child.stdin.end();
    await once(child, 'exit');
  });
});
