import {
  type ApplyConfiguration,
  NAMESPACE,
  NETWORK_POLICY,
  type NetworkPolicy,
  POD,
  type Pod,
} from '@davit-dev/davit/api';
import { allows, type Connection, evaluate, PolicyIndex } from '@davit-dev/davit/networkpolicy';
import { startApiserver } from '@davit-dev/davit/testing';
import { expect, test } from 'vitest';

const policy: ApplyConfiguration<NetworkPolicy> = {
  ...NETWORK_POLICY,
  metadata: { namespace: 'default', name: 'web-to-db' },
  spec: {
    podSelector: { matchLabels: { app: 'db' } },
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ port: 'sql' }] }],
  },
};

const ADDRESSES = new Map([
  ['web', '10.0.0.1'],
  ['db', '10.0.0.2'],
  ['other', '10.0.0.3'],
]);

const pod = (app: string): ApplyConfiguration<Pod> => ({
  ...POD,
  metadata: { namespace: 'default', name: app, labels: { app } },
  spec: { containers: [{ name: app, image: app, ports: [{ name: 'sql', containerPort: 5432 }] }] },
});

test("reports to a program whether a server's policies allow a connection, and by which rule", async () => {
  await using server = await startApiserver();
  const { client } = server;
  await client.apply<NetworkPolicy>(policy);
  for (const app of ['web', 'db', 'other']) await client.apply<Pod>(pod(app));
  const pods = (await client.list(POD)).map(
    (one): Pod => ({ ...one, status: { ...one.status, podIP: ADDRESSES.get(one.metadata.name ?? '') ?? '' } }),
  );
  const index = new PolicyIndex({
    policies: await client.list(NETWORK_POLICY),
    namespaces: await client.list(NAMESPACE),
    pods,
  });
  const asked: Connection = { from: '10.0.0.1', to: '10.0.0.2', protocol: 'TCP', port: 5432 };
  expect(evaluate(index, asked).ingress).toEqual({
    allowed: true,
    reason: 'Rule',
    selecting: [{ namespace: 'default', name: 'web-to-db' }],
    rule: { namespace: 'default', name: 'web-to-db', field: 'spec.ingress[0]' },
  });
  expect(allows(index, { ...asked, port: 22 })).toBe(false);
  expect(allows(index, { ...asked, from: '10.0.0.3' })).toBe(false);
});
