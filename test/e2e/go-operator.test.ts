import { describe, expect, test } from 'vitest';
import { buildGoOperator } from '#test/clients/go-operator.ts';
import { ApiConnection } from '#test/integration/api-connection.ts';
import { useCluster } from './cluster.ts';
import { RunningProgram } from './program.ts';

// A full run takes a minute.
const SECONDS = process.env['DAVIT_FULL'] === undefined ? 15 : 60;
const BOUND = 20_000;

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'greetings.operator.davit.test' },
  spec: {
    group: 'operator.davit.test',
    scope: 'Namespaced',
    names: { plural: 'greetings', singular: 'greeting', kind: 'Greeting' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { text: { type: 'string' } } },
              status: {
                type: 'object',
                properties: { said: { type: 'string' }, observedGeneration: { type: 'integer' } },
              },
            },
          },
        },
      },
    ],
  },
};

interface Greeting {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly finalizers?: string[];
  };
  readonly spec: { readonly text: string };
  readonly status?: { readonly said: string; readonly observedGeneration: number };
}

interface ConfigMap {
  readonly data?: Record<string, string>;
  readonly metadata: { readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[] };
}

const GREETINGS = '/apis/operator.davit.test/v1/namespaces/default/greetings';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const operator = await buildGoOperator();
if ('missing' in operator) console.log(`skipped: the Go operator: ${operator.missing}`);

describe.skipIf('missing' in operator)('an operator on controller-runtime', () => {
  const cluster = useCluster();

  test(`reconciles for ${SECONDS} seconds with no error in its log`, async () => {
    using api = new ApiConnection(cluster().server.kubeconfig);
    await api.json('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', CRD);
    await expect.poll(async () => (await api.send('GET', GREETINGS)).status, { timeout: BOUND }).toBe(200);
    const env = { KUBECONFIG: cluster().kubeconfig };
    await using running = new RunningProgram('path' in operator ? operator.path : '', [`--for=${SECONDS}s`], { env });
    const until = performance.now() + SECONDS * 1000 - 5000;
    let rounds = 0;
    do await oneGreeting(api, `greeting-${rounds++}`);
    while (performance.now() < until);
    const { code, stderr } = await running.ended();
    const suspicious = untilStopped(stderr)
      .split('\n')
      .filter((line) => /"level":"(?:error|warn|dpanic|panic|fatal)"|^[EWF]\d{4} /.test(line));
    expect({ code, suspicious }).toEqual({ code: 0, suspicious: [] });
    expect(stderr).toContain('Starting workers');
    console.log(`${rounds} objects were created, changed, repaired and deleted within ${SECONDS} s`);
  });
});

/** What the manager logs until it stops: releasing its lease at the end is itself told as "leader election lost". */
function untilStopped(log: string): string {
  const end = log.indexOf('"msg":"Stopping and waiting for ');
  expect(end).toBeGreaterThan(0);
  return log.slice(0, end);
}

/** An object through its life: its ConfigMap follows it, is repaired, and goes with it. */
async function oneGreeting(api: ApiConnection, name: string): Promise<void> {
  const status = async (): Promise<unknown> => (await api.json<Greeting>('GET', `${GREETINGS}/${name}`)).status;
  const text = async (): Promise<unknown> => (await maybe<ConfigMap>(api, `${CONFIG_MAPS}/${name}`))?.data?.['text'];
  await api.json('POST', GREETINGS, {
    apiVersion: 'operator.davit.test/v1',
    kind: 'Greeting',
    metadata: { name },
    spec: { text: 'hello' },
  });
  await expect.poll(status, { timeout: BOUND, interval: 20 }).toEqual({ said: 'hello', observedGeneration: 1 });
  const owned = await api.json<ConfigMap>('GET', `${CONFIG_MAPS}/${name}`);
  const greeting = await api.json<Greeting>('GET', `${GREETINGS}/${name}`);
  expect(owned.metadata.ownerReferences).toMatchObject([{ uid: greeting.metadata.uid, controller: true }]);
  await api.json('PUT', `${GREETINGS}/${name}`, { ...greeting, spec: { text: 'good day' } });
  await expect.poll(status, { timeout: BOUND, interval: 20 }).toEqual({ said: 'good day', observedGeneration: 2 });
  expect(await text()).toBe('good day');
  await api.json('DELETE', `${CONFIG_MAPS}/${name}`);
  await expect.poll(text, { timeout: BOUND, interval: 20 }).toBe('good day');
  await api.json('DELETE', `${GREETINGS}/${name}`);
  await expect.poll(() => maybe(api, `${GREETINGS}/${name}`), { timeout: BOUND, interval: 20 }).toBeUndefined();
  await expect.poll(text, { timeout: BOUND, interval: 20 }).toBeUndefined();
}

async function maybe<T>(api: ApiConnection, path: string): Promise<T | undefined> {
  const { status, text } = await api.send('GET', path);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return JSON.parse(text) as T;
}
