import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { requester } from '#test/support/requester.ts';

const OS = 'deprecated since v1.14; use "kubernetes.io/os" instead';
const ZONE = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
const APP_ARMOR = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const STORAGE = '/apis/storage.k8s.io/v1';
const PODS = '/api/v1/namespaces/here/pods';
const expression = { key: 'beta.kubernetes.io/os', operator: 'In', values: ['linux'] };
const volume = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'v' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
});
const pod = (value: string, securityContext: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p', annotations: { 'container.apparmor.security.beta.kubernetes.io/c': value } },
  spec: { containers: [{ name: 'c', image: 'i' }], securityContext },
});
let server: RunningApiserver;

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  await requester(server)('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  await requester(server)('POST', '/api/v1/namespaces/here/serviceaccounts', { metadata: { name: 'default' } });
});
afterAll(() => server.close());

test.each<[string, string, JsonObject, string[]]>([
  [
    'a volume with affinity to a replaced node label',
    '/api/v1/persistentvolumes',
    volume({
      nfs: { server: 's', path: '/p' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
    }),
    [`spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is ${OS}`],
  ],
  [
    'a flexVolume, for which upstream has none',
    '/api/v1/persistentvolumes',
    volume({ flexVolume: { driver: 'a/b' } }),
    [],
  ],
  [
    'a runtime class that selects a replaced node label',
    '/apis/node.k8s.io/v1/runtimeclasses',
    { metadata: { name: 'r' }, handler: 'h', scheduling: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } },
    [`scheduling.nodeSelector: ${OS}`],
  ],
  [
    'a storage class with a replaced zone label',
    `${STORAGE}/storageclasses`,
    {
      metadata: { name: 's' },
      provisioner: 'a/b',
      allowedTopologies: [
        { matchLabelExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', values: ['a'] }] },
      ],
    },
    [`allowedTopologies[0].matchLabelExpressions[0].key: ${ZONE}`],
  ],
  [
    'a storage capacity with replaced node labels',
    `${STORAGE}/namespaces/here/csistoragecapacities`,
    {
      metadata: { name: 'c' },
      storageClassName: 's',
      nodeTopology: { matchExpressions: [expression], matchLabels: { 'failure-domain.beta.kubernetes.io/zone': 'a' } },
    },
    [
      `nodeTopology.matchExpressions[0].key: beta.kubernetes.io/os is ${OS}`,
      `nodeTopology.matchLabels.failure-domain.beta.kubernetes.io/zone: ${ZONE}`,
    ],
  ],
  [
    'an AppArmor annotation that becomes a field',
    PODS,
    pod('localhost/p'),
    [`metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: ${APP_ARMOR}`],
  ],
  [
    'an AppArmor annotation that is not a profile',
    PODS,
    pod('localhost/'),
    [`metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: ${APP_ARMOR}`],
  ],
  [
    "an AppArmor annotation that equals the pod's field",
    PODS,
    pod('runtime/default', { appArmorProfile: { type: 'RuntimeDefault' } }),
    [],
  ],
])('returns the warnings about %s', async (_, path, object, expected) => {
  const { status, warnings } = await requester(server)('POST', `${path}?dryRun=All`, object);
  expect(status).toBe(201);
  const told = warnings
    .join(', ')
    .split(/,? ?299 - /)
    .filter((one) => one !== '');
  expect(told).toEqual(expected.map((text) => JSON.stringify(text)));
});
