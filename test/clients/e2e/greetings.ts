import { expect } from 'vitest';
import type { ApiConnection } from '#test/clients/integration/api-connection.ts';
import { eventually } from '#test/support/eventually.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';

const GREETINGS = '/apis/operator.davit.test/v1/namespaces/default/greetings';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const CRD = simpleDefinition({
  group: 'operator.davit.test',
  plural: 'greetings',
  kind: 'Greeting',
  subresources: { status: {} },
  properties: {
    spec: { type: 'object', properties: { text: { type: 'string' } } },
    status: {
      type: 'object',
      properties: { said: { type: 'string' }, observedGeneration: { type: 'integer' } },
    },
  },
});

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

/** The kind that the operators of `test/support/clients` reconcile. They copy its text to a ConfigMap and to its status. */
export async function defineGreetings(api: ApiConnection): Promise<void> {
  await api.json('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', CRD);
  await eventually(async () => expect((await api.send('GET', GREETINGS)).status).toBe(200));
}

/** Tests the whole life of an object: its ConfigMap is created, updated, repaired and deleted. */
export async function oneGreeting(api: ApiConnection, name: string): Promise<void> {
  await newGreeting(api, name);
  await changeGreeting(api, name, 'good day');
  await endGreeting(api, name);
}

/** Resolves when the operator has published the text. */
export async function newGreeting(api: ApiConnection, name: string): Promise<void> {
  await api.json('POST', GREETINGS, {
    apiVersion: 'operator.davit.test/v1',
    kind: 'Greeting',
    metadata: { name },
    spec: { text: 'hello' },
  });
  await eventually(async () => expect(await statusOf(api, name)).toEqual({ said: 'hello', observedGeneration: 1 }));
  const greeting = await api.json<Greeting>('GET', `${GREETINGS}/${name}`);
  expect(greeting.metadata.finalizers).toHaveLength(1);
  const owned = await api.json<ConfigMap>('GET', `${CONFIG_MAPS}/${name}`);
  expect(owned.metadata.ownerReferences).toMatchObject([{ uid: greeting.metadata.uid, controller: true }]);
}

/** Resolves when the operator has published the new text, and again after its ConfigMap was deleted. */
export async function changeGreeting(api: ApiConnection, name: string, text: string): Promise<void> {
  const before = await api.json<Greeting>('GET', `${GREETINGS}/${name}`);
  const { generation } = before.metadata;
  await changeSpec(api, name, text);
  await eventually(async () =>
    expect(await statusOf(api, name)).toEqual({ said: text, observedGeneration: generation + 1 }),
  );
  expect(await textOf(api, name)).toBe(text);
  await api.json('DELETE', `${CONFIG_MAPS}/${name}`);
  await eventually(async () => expect(await textOf(api, name)).toBe(text));
}

/** Retries after a conflict, because the operator also writes the object. */
async function changeSpec(api: ApiConnection, name: string, text: string): Promise<void> {
  const write = async (): Promise<number> => {
    const now = await api.json<Greeting>('GET', `${GREETINGS}/${name}`);
    return (await api.send('PUT', `${GREETINGS}/${name}`, { ...now, spec: { text } })).status;
  };
  await eventually(async () => expect(await write()).toBe(200));
}

/** Resolves after the operator has removed its finalizer and all of its objects are gone. */
export async function endGreeting(api: ApiConnection, name: string): Promise<void> {
  await api.json('DELETE', `${GREETINGS}/${name}`);
  await eventually(async () => expect(await maybe(api, `${GREETINGS}/${name}`)).toBeUndefined());
  await eventually(async () => expect(await textOf(api, name)).toBeUndefined());
}

const statusOf = async (api: ApiConnection, name: string): Promise<unknown> =>
  (await api.json<Greeting>('GET', `${GREETINGS}/${name}`)).status;
const textOf = async (api: ApiConnection, name: string): Promise<string | undefined> =>
  (await maybe<ConfigMap>(api, `${CONFIG_MAPS}/${name}`))?.data?.['text'];

/** The object, or undefined if it does not exist. */
export async function maybe<T>(api: ApiConnection, path: string): Promise<T | undefined> {
  const { status, text } = await api.send('GET', path);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return JSON.parse(text) as T;
}
