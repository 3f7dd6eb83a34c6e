import { expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { startApiserver } from '#local/start-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { replicas: 1, selector: { matchLabels: labels }, template };
const IN = 'namespaces/team';
/** Excludes the pods of the cron job, which start at the beginning of a minute. */
const OF_WORKLOADS = `/api/v1/${IN}/pods?labelSelector=app%3Da`;

/** One object for each controller, which causes it to write and to delete. */
const OBJECTS: readonly [path: string, object: JsonObject][] = [
  [`/apis/apps/v1/${IN}/deployments`, { metadata: { name: 'd' }, spec: workload }],
  [`/api/v1/${IN}/replicationcontrollers`, { metadata: { name: 'r' }, spec: { ...workload, selector: labels } }],
  [
    `/apis/apps/v1/${IN}/statefulsets`,
    {
      metadata: { name: 's' },
      spec: {
        ...workload,
        serviceName: 's',
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  ],
  [
    `/apis/batch/v1/${IN}/cronjobs`,
    {
      metadata: { name: 'c' },
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
  ],
  [`/api/v1/${IN}/services`, { metadata: { name: 's' }, spec: { selector: labels, ports: [{ port: 80 }] } }],
  [`/api/v1/${IN}/services`, { metadata: { name: 'm' }, spec: { ports: [{ port: 80 }] } }],
  [
    `/api/v1/${IN}/endpoints`,
    { metadata: { name: 'm' }, subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] },
  ],
  [
    `/apis/policy/v1/${IN}/poddisruptionbudgets`,
    { metadata: { name: 'b' }, spec: { minAvailable: '50%', selector: { matchLabels: labels } } },
  ],
  [`/api/v1/${IN}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '10' } } }],
  [
    '/api/v1/persistentvolumes',
    {
      metadata: { name: 'v' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/v' } },
    },
  ],
  ['/apis/networking.k8s.io/v1/servicecidrs', { metadata: { name: 'more' }, spec: { cidrs: ['10.200.0.0/24'] } }],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      metadata: { name: 'gathered' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { team: 'a' } }] },
      rules: [],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      metadata: { name: 'part', labels: { team: 'a' } },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
  ],
  [
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['nodes'], operations: ['CREATE'] }],
        },
        validations: [{ expression: 'object.spec.wrong == 1' }],
      },
    },
  ],
];

async function create(send: Requester): Promise<void> {
  expect((await send('POST', '/api/v1/namespaces', { metadata: { name: 'team' } })).status).toBe(201);
  for (const [path, object] of OBJECTS) expect([path, (await send('POST', path, object)).status]).toEqual([path, 201]);
}

const listed = async (send: Requester, path: string): Promise<number> => {
  const { items = [] } = (await send('GET', path)).body;
  return Array.isArray(items) ? items.length : 0;
};

test("controllers use upstream's accounts, and none of their requests is forbidden", async () => {
  const faults: unknown[] = [];
  await using server = await startApiserver({ reportFault: (_id, error) => faults.push(error) });
  const send = requester(server);
  await create(send);
  await eventually(
    async () => (await listed(send, OF_WORKLOADS)) === 3,
    () => 'pods of all workloads',
  );
  await eventually(
    async () => (await listed(send, `/apis/discovery.k8s.io/v1/${IN}/endpointslices`)) === 2,
    () => 'slices',
  );
  const pods = await send('GET', `/api/v1/${IN}/pods`);
  for (const part of ['"kind":"StatefulSet"', '"manager":"kube-controller-manager"'])
    expect(JSON.stringify(pods.body)).toContain(part);
  for (const kind of ['deployments', 'statefulsets']) await send('DELETE', `/apis/apps/v1/${IN}/${kind}/${kind[0]}`);
  await send('DELETE', '/api/v1/persistentvolumes/v');
  await send('DELETE', '/apis/networking.k8s.io/v1/servicecidrs/more');
  await eventually(
    async () => (await listed(send, OF_WORKLOADS)) === 1,
    () => 'one pod is left',
  );
  await send('DELETE', '/api/v1/namespaces/team');
  await eventually(
    async () => (await send('GET', '/api/v1/namespaces/team')).status === 404,
    () => 'the namespace is gone',
  );
  const refused = faults.filter((error) => error instanceof StatusError && error.reason === 'Forbidden');
  expect(refused.map(String)).toEqual([]);
});
