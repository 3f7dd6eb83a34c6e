import { basename } from 'node:path';
import { stringify } from 'yaml';
import type { Declaration } from '#lib/client/controller/declaration.ts';
import { accountObjects, rulesOf } from '#lib/client/controller/function-account.ts';
import { guessResource } from '#lib/client/guess-resource.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { loadFunctions } from '../functions/load-functions.ts';
import { StartFault } from '../start-fault.ts';
import { CERTIFICATES, secretOf, WEBHOOKS, webhookObjects } from './webhook-manifests.ts';

/** The flags of the command. */
export interface ManifestFlags {
  readonly image?: string;
  readonly name?: string;
  readonly namespace: string;
}

/** The manifests that the reconcilers in a file or folder need. Throws StartFault if it declares none. */
export async function manifestsAt(path: string, flags: ManifestFlags): Promise<string> {
  const { reconcilers, webhooks } = await loadFunctions(path);
  const of = <T>(all: ReadonlyMap<string, { readonly declaration: T }>): T[] =>
    [...all.values()].map(({ declaration }) => declaration);
  return manifestsOf({ reconcilers: of(reconcilers), webhooks: of(webhooks) }, { ...flags, file: basename(path) });
}

interface Declared {
  readonly reconcilers: readonly Declaration[];
  readonly webhooks: readonly WebhookDeclaration[];
}

/** The objects as YAML. Throws StartFault if there is neither a reconciler nor a webhook to run in an image. */
export function manifestsOf(
  { reconcilers: declarations, webhooks }: Declared,
  flags: ManifestFlags & { readonly file: string },
): string {
  const [first] = [...declarations, ...(flags.image === undefined ? [] : webhooks)];
  if (first === undefined) throw new StartFault(`${flags.file} declares no reconciler`);
  const { image, namespace, name = first.name } = flags;
  const at = { namespace, name, labels: { 'app.kubernetes.io/name': name } };
  const rules = rulesOf(declarations, ({ kind }) => guessResource(kind));
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...accountObjects({ ...at, role: name, rules }),
    ...leaseObjects(at),
    ...(image === undefined ? [] : [deployment(at, image, flags.file, webhooks.length > 0)]),
    ...(image === undefined || webhooks.length === 0 ? [] : webhookObjects(at, webhooks)),
  ];
  return objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}

/** The ports of the program, the same as controller-runtime's. */
const [HEALTH, METRICS] = [8081, 8080];

interface At {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The Lease for leader election among several processes. */
function leaseObjects({ namespace, name, labels }: At): readonly JsonObject[] {
  const RBAC = 'rbac.authorization.k8s.io';
  const own = { apiVersion: `${RBAC}/v1`, metadata: { namespace, name, labels } };
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    {
      ...own,
      kind: 'Role',
      rules: [
        { ...leases, verbs: ['create'] },
        { ...leases, resourceNames: [name], verbs: ['get', 'update'] },
      ],
    },
    {
      ...own,
      kind: 'RoleBinding',
      roleRef: { apiGroup: RBAC, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', namespace, name }],
    },
  ];
}

function deployment({ namespace, name, labels }: At, image: string, file: string, asked: boolean): JsonObject {
  const container = {
    name: 'reconcilers',
    image,
    args: [
      'run',
      `/functions/${file}`,
      `--lease-name=${name}`,
      `--health-probe-bind-address=:${HEALTH}`,
      `--metrics-bind-address=:${METRICS}`,
      ...(asked ? [`--webhook-cert-dir=${CERTIFICATES}`] : []),
    ],
    ports: [
      { name: 'health', containerPort: HEALTH },
      { name: 'metrics', containerPort: METRICS },
      ...(asked ? [{ name: 'webhooks', containerPort: WEBHOOKS }] : []),
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, initialDelaySeconds: 5, periodSeconds: 10 },
    resources: { requests: { cpu: '10m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(asked ? { volumeMounts: [{ name: 'certificates', mountPath: CERTIFICATES, readOnly: true }] } : {}),
  };
  const volumes = [{ name: 'certificates', secret: { secretName: secretOf(name) } }];
  const securityContext = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: name, securityContext, containers: [container], ...(asked ? { volumes } : {}) },
      },
    },
  };
}
