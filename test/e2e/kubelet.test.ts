import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { startApiserver, type RunningApiserver } from '#local/start-apiserver.ts';
import { pathOf } from '#test/clients/cache.ts';
import { newestKubectl, oldestKubectl } from '#test/clients/kubectl.ts';
import { echoing, startKubelet, type Kubelet } from '#test/kubelet/kubelet.ts';
import { requester } from '#test/requester.ts';
import { needing } from '#test/skip.ts';
import { until } from '#test/until.ts';
import { runProgram, type Outcome } from './program.ts';

const [oldest, newest] = await Promise.all([oldestKubectl(), newestKubectl()]);

let kubelet: Kubelet;
let server: RunningApiserver;
const folder = mkdtempSync(join(tmpdir(), 'davit-kubelet-'));
const kubeconfig = join(folder, 'kubeconfig');

beforeAll(async () => {
  kubelet = await startKubelet();
  server = await startApiserver({ scheduler: false, kubelet: kubelet.options });
  writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
  const request = requester(server);
  const made = async (path: string, object: JsonObject): Promise<void> => {
    const { status, body } = await request('POST', path, object);
    expect(status, String(body['message'])).toBe(201);
  };
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'i' }] };
  await made('/api/v1/nodes', { metadata: { name: 'n1' }, status: kubelet.nodeStatus as unknown as JsonObject });
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  await until(async () => (await request('GET', account)).status === 200);
  await made('/api/v1/namespaces/default/pods', { metadata: { name: 'web' }, spec });
});
afterAll(async () => {
  await server.close();
  await kubelet.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['the oldest', oldest],
  ['the newest', newest],
] as const)('%s kubectl and a kubelet', (_, installed) => {
  describe('that answers', needing(installed), () => {
    const kubectl = (args: readonly string[], input = ''): Promise<Outcome> =>
      runProgram(pathOf(installed), args, { env: { HOME: folder, KUBECONFIG: kubeconfig }, input });
    const said = (stdout: string): object => expect.objectContaining({ code: 0, stdout });

    test('logs are those of the container, also while they come', async () => {
      kubelet.on('/containerLogs/default/web/main', {
        request: ({ url = '' }, response) => {
          response.write('first\n');
          setImmediate(() => response.end(url.includes('follow=true') ? 'second\n' : ''));
        },
      });
      expect(await kubectl(['logs', 'web'])).toEqual(said('first\n'));
      expect(await kubectl(['logs', '-f', 'web'])).toEqual(said('first\nsecond\n'));
    });

    test('exec runs a command, and passes what it reads', async () => {
      kubelet.on('/exec/default/web/main', echoing);
      expect(await kubectl(['exec', 'web', '--', 'echo', 'a', 'b'])).toEqual(said('echo a b\n'));
      expect(await kubectl(['exec', '-i', 'web', '--', 'cat'], 'read\n')).toEqual(said('cat\nread\n'));
    });

    test('a node is asked by its proxy', async () => {
      kubelet.on('/healthz', { request: (_request, response) => response.end('ok') });
      expect(await kubectl(['get', '--raw', '/api/v1/nodes/n1/proxy/healthz'])).toEqual(said('ok'));
    });
  });
});
