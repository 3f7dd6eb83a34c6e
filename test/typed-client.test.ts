import { expect, test } from 'vitest';
import {
  CONFIG_MAP,
  DEPLOYMENT,
  NAMESPACE,
  POD,
  type ApplyConfiguration,
  type ConfigMap,
  type corev1,
  type Deployment,
} from 'davit/api';
import { findCondition } from 'davit/controller';
import { startApiserver } from 'davit/testing';

const NAME = { namespace: 'default', name: 'web' };
const containers: corev1.Container[] = [{ name: 'web', image: 'web:1', resources: {} }];
const labels = { app: 'web' };

test('reads built-in objects with their types, and leaves defaults to the server where it writes them', async () => {
  await using server = await startApiserver();
  const { client } = server;
  const wanted: ApplyConfiguration<Deployment> = {
    ...DEPLOYMENT,
    metadata: NAME,
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
  const made = await client.apply<Deployment>(wanted);
  expect(made.spec.replicas).toBe(1);
  expect(made.spec.template.spec.containers?.[0]?.imagePullPolicy).toBe('IfNotPresent');
  expect(made.spec.strategy.type).toBe('RollingUpdate');
  // @ts-expect-error misspelt field
  expect(made.spec.replicsa).toBe(undefined);
  expect(await client.get(POD, NAME)).toBe(undefined);
  const [first] = await client.list(NAMESPACE);
  expect(first?.apiVersion).toBe('v1');
  expect(first?.status.phase).toBe('Active');
  expect(findCondition(made.status.conditions, 'Available')?.status).toBe(undefined);
});

test('refuses a misspelt field and the kind of another type when it is compiled', () => {
  // @ts-expect-error misspelt field
  const misspelt: ConfigMap = { ...CONFIG_MAP, metadata: NAME, dtaa: {} };
  // @ts-expect-error misspelt field, deep within
  const deep: ApplyConfiguration<Deployment> = { ...DEPLOYMENT, metadata: NAME, spec: { template: { spce: {} } } };
  // @ts-expect-error a Deployment is no ConfigMap
  const other: ConfigMap = { ...DEPLOYMENT, metadata: NAME };
  expect([misspelt, deep, other]).toHaveLength(3);
});
