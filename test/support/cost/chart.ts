import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';

const NAMESPACE = 'default';
const DEPLOYMENTS: GroupVersionResource = { group: 'apps', version: 'v1', resource: 'deployments' };
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** The length in characters of a release as Helm stores it: compressed, and base64-encoded twice. */
const RELEASE = 6_000;

type Planned = readonly [resource: GroupVersionResource, object: JsonObject];

const named = (name: string): JsonObject => ({
  name,
  namespace: NAMESPACE,
  labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/managed-by': 'Helm', 'helm.sh/chart': 'web-0.1.0' },
  annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': NAMESPACE },
});

const deployment = (app: string, image: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: named(app),
  spec: {
    replicas: 2,
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: {
        serviceAccountName: app,
        containers: [
          {
            name: 'web',
            image,
            ports: [{ name: 'http', containerPort: 80 }],
            envFrom: [{ configMapRef: { name: app } }],
            resources: { requests: { cpu: '100m', memory: '64Mi' } },
            readinessProbe: { httpGet: { path: '/', port: 'http' } },
          },
        ],
      },
    },
  },
});

/** The objects of a chart as `helm create` writes it, with settings and a secret: two pods. */
const objects = (app: string, image: string): readonly Planned[] => [
  [core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named(app) }],
  [core('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: named(app), stringData: { password: 'secret' } }],
  [core('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: named(app), data: { greeting: 'hello' } }],
  [
    core('services'),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: named(app),
      spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ],
  [DEPLOYMENTS, deployment(app, image)],
];

const release = (app: string, revision: number, status: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'helm.sh/release.v1',
  metadata: {
    name: `sh.helm.release.v1.${app}.v${revision}`,
    namespace: NAMESPACE,
    labels: { owner: 'helm', name: app, version: String(revision), status },
  },
  stringData: { release: 'r'.repeat(RELEASE) },
});

const releaseRef = (app: string, revision: number) =>
  refOf(core('secrets'), NAMESPACE, `sh.helm.release.v1.${app}.v${revision}`);

/** Helm's requests before it plans: the version, the served resources, and the previous releases. */
async function look(client: Client, app: string): Promise<void> {
  await client.document('/version');
  await client.document('/api', DISCOVERY);
  await client.document('/apis', DISCOVERY);
  await client.list(core('secrets'), { namespace: NAMESPACE, labelSelector: `name=${app},owner=helm` });
}

const refTo = ([resource, { metadata }]: Planned, app: string) => {
  if (metadata === undefined) throw new TypeError('an object without a name');
  return refOf(resource, NAMESPACE, app);
};

/** The requests of `helm install`. */
export async function install(client: Client, app: string): Promise<void> {
  const all = objects(app, 'example.com/web:1');
  await look(client, app);
  for (const one of all) await client.get(refTo(one, app));
  await client.create(core('secrets'), release(app, 1, 'pending-install'));
  for (const [resource, object] of all) await client.create(resource, object);
  await client.update(releaseRef(app, 1), release(app, 1, 'deployed'));
}

/** The requests of `helm upgrade` to another image. */
export async function upgrade(client: Client, app: string): Promise<void> {
  const all = objects(app, 'example.com/web:2');
  await look(client, app);
  for (const one of all) await client.get(refTo(one, app));
  await client.create(core('secrets'), release(app, 2, 'pending-upgrade'));
  for (const one of all) {
    const ref = refTo(one, app);
    await client.get(ref);
    if (one[0] === DEPLOYMENTS) await client.patch(ref, { spec: one[1]['spec'] ?? null });
  }
  await client.update(releaseRef(app, 1), release(app, 1, 'superseded'));
  await client.update(releaseRef(app, 2), release(app, 2, 'deployed'));
}

/** The requests of `kubectl scale`. */
export async function scale(client: Client, app: string, replicas: number): Promise<void> {
  const ref = refOf(DEPLOYMENTS, NAMESPACE, app);
  await client.get(ref);
  await client.patch(ref, { spec: { replicas } }, 'scale');
}
