import {
  type ApplyConfiguration,
  CONFIG_MAP,
  type ConfigMap,
  type corev1,
  DEPLOYMENT,
  type Deployment,
  NAMESPACE,
  POD,
  type Pod,
} from '@davit-dev/davit/api';
import { defineReconciler, findCondition } from '@davit-dev/davit/controller';
import { eventually, startApiserver } from '@davit-dev/davit/testing';
import { defineValidating, denied } from '@davit-dev/davit/webhook';
import { expect, test } from 'vitest';

const NAME = { namespace: 'default', name: 'web' };
const containers: corev1.Container[] = [{ name: 'web', image: 'web:1', resources: {} }];
const labels = { app: 'web' };

test('reads built-in objects with their types, and leaves defaults to the server', async () => {
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

test('rejects a misspelt field and a kind of another type at compile time', () => {
  // @ts-expect-error misspelt field
  const misspelt: ConfigMap = { ...CONFIG_MAP, metadata: NAME, dtaa: {} };
  // @ts-expect-error misspelt nested field
  const deep: ApplyConfiguration<Deployment> = { ...DEPLOYMENT, metadata: NAME, spec: { template: { spce: {} } } };
  // @ts-expect-error a Deployment is not a ConfigMap
  const other: ConfigMap = { ...DEPLOYMENT, metadata: NAME };
  expect([misspelt, deep, other]).toHaveLength(3);
});

const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];

test('returns to reconcilers and webhooks the type of their declared kind', async () => {
  const seen: (string | undefined)[] = [];
  const reconciler = defineReconciler({ name: 'pods', for: POD }, async (_request, { object }) => {
    const pod = await object();
    seen.push(pod?.spec.schedulerName);
    // @ts-expect-error misspelt field
    seen.push(pod?.spec.schedularName);
    return undefined;
  });
  const webhook = defineValidating<Pod>({ name: 'pods', rules }, ({ spec }, { request }) => {
    if ((spec.containers ?? []).some(({ image }) => image === 'bad:1')) throw denied('bad image');
    // @ts-expect-error misspelt field
    seen.push(request.oldObject?.spec.nodeNmae);
  });
  await using server = await startApiserver({ reconcilers: [reconciler], webhooks: [webhook] });
  const pod = (name: string, image: string): ApplyConfiguration<Pod> => ({
    ...POD,
    metadata: { namespace: 'default', generateName: name },
    spec: { containers: [{ name: 'main', image }] },
  });
  await eventually(() => expect(server.client.create<Pod>(pod('bad', 'bad:1'))).rejects.toThrow('bad image'));
  await eventually(() => server.client.create<Pod>(pod('good', 'good:1')));
  await eventually(() => expect(seen).toContain('default-scheduler'));
});
