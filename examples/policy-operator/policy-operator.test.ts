import { join } from 'node:path';
import { type ApplyConfiguration, NAMESPACE, POD, type Pod, RESOURCE_QUOTA } from '@davit-dev/davit/api';
import { findCondition } from '@davit-dev/davit/controller';
import { eventually, type RunningApiserver, readManifests, startApiserver } from '@davit-dev/davit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NAMESPACE_POLICY } from './api/namespacepolicy.ts';

const SHOP = { namespace: '', name: 'shop' };
const RESTRICTED = { namespace: '', name: 'restricted' };
const QUOTA = { namespace: 'shop', name: 'restricted' };
const LABEL = 'policies.example.com/policy';

let server: RunningApiserver;

const create = (name: string, image: string): Promise<Pod> => {
  const pod: ApplyConfiguration<Pod> = {
    ...POD,
    metadata: { namespace: 'shop', name },
    spec: { containers: [{ name: 'main', image }] },
  };
  return server.client.create<Pod>(pod);
};

/**
 * Retries until the server rejects the pod with this message, because policies take effect shortly after they are written. Deletes pods
 * admitted before then.
 */
const refused = (name: string, image: string, message: RegExp): Promise<void> => {
  const attempt = async (): Promise<void> => {
    await create(name, image);
    await server.client.delete(POD, { namespace: 'shop', name });
  };
  return eventually(() => expect(attempt()).rejects.toThrow(message));
};

/** Starts the server like `npm start -- --functions examples/policy-operator`. */
beforeAll(async () => {
  server = await startApiserver({ functionsFolder: import.meta.dirname });
  const manifests = await readManifests(join(import.meta.dirname, 'example.yaml'));
  for (const object of manifests) await eventually(() => server.client.apply(object));
  await eventually(async () => {
    const status = (await server.client.get(NAMESPACE_POLICY, RESTRICTED))?.status;
    expect(findCondition(status?.conditions, 'Ready')?.status).toBe('True');
    expect(status?.namespaces).toBe(1);
  });
});

afterAll(() => server.close());

test('rejects images of other registries, and admits those of its own', async () => {
  await refused('foreign', 'registry.example.org/web:1', /images of other registries: registry\.example\.org\/web:1/);
  await eventually(() => create('own', 'registry.example.com/team/web:1'));
});

test('rejects pods over the quota', async () => {
  await eventually(() => create('second', 'registry.example.com/team/web:1'));
  await refused('third', 'registry.example.com/team/web:1', /exceeded quota: restricted/);
});

test('applies a change of the policy', async () => {
  const allowedRegistries = ['registry.example.org'];
  await server.client.patch(NAMESPACE_POLICY, RESTRICTED, { spec: { allowedRegistries, hard: null } });
  await eventually(async () => expect(await server.client.get(RESOURCE_QUOTA, QUOTA)).toBeUndefined());
  await refused('own-again', 'registry.example.com/team/web:1', /images of other registries/);
  await eventually(() => create('foreign', 'registry.example.org/web:1'));
});

test('removes the quota of a namespace that no longer selects the policy', async () => {
  await server.client.patch(NAMESPACE_POLICY, RESTRICTED, { spec: { hard: { pods: '9' } } });
  await eventually(async () => expect(await server.client.get(RESOURCE_QUOTA, QUOTA)).toBeDefined());
  await server.client.patch(NAMESPACE, SHOP, { metadata: { labels: { [LABEL]: null } } });
  await eventually(async () => expect(await server.client.get(RESOURCE_QUOTA, QUOTA)).toBeUndefined());
  await eventually(async () => {
    expect((await server.client.get(NAMESPACE_POLICY, RESTRICTED))?.status?.namespaces).toBe(0);
  });
  await eventually(() => create('free', 'docker.io/library/nginx:1'));
});
