import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { type Answer, JSON_TYPE, type Step, type Suite } from '../case.ts';
import type { Draw } from '../draw.ts';

const ZONES = ['a', 'b', 'c'];
const APPS = ['web', 'db', 'batch'];

/** Three to six nodes and up to eight pods, one after another. Compares the node of each pod, or the reason for none. */
export const scheduling: Suite = (draw, id) => {
  const nodes = draw.several(3, 7, (i) => node(draw, `${id}-n${i}`));
  const pods = draw.several(3, 9, (i) => pod(draw, `${id}-p${i}`));
  return {
    name: `place ${pods.length} pods on ${nodes.length} nodes`,
    steps: [
      ...nodes.flatMap(({ object, taints }) => created(object, taints)),
      ...pods.flatMap(placed),
      ...pods.map((it) => removed('/api/v1/namespaces/{ns}/pods', it)),
      ...nodes.map(({ object }) => removed('/api/v1/nodes', object)),
    ],
  };
};

const nameOf = (object: JsonObject): string => String((object['metadata'] as JsonObject)['name']);
const removed = (collection: string, object: JsonObject): Step => ({
  method: 'DELETE',
  path: `${collection}/${nameOf(object)}?gracePeriodSeconds=0`,
  ignored: true,
});

function node(draw: Draw, name: string): { readonly object: JsonObject; readonly taints: Json[] } {
  const capacity = {
    cpu: draw.pick(['1', '2', '4']),
    memory: draw.pick(['1Gi', '2Gi', '4Gi']),
    pods: draw.pick(['2', '5', '110']),
    'example.com/foo': draw.pick(['0', '2']),
  };
  const taints: Json[] = draw.chance(0.25)
    ? [{ key: 'dedicated', value: 'gpu', effect: draw.pick(['NoSchedule', 'PreferNoSchedule']) }]
    : [];
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': draw.pick(ZONES),
    disk: draw.pick(['ssd', 'hdd']),
  };
  const status = { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: 'True' }] };
  return { object: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: {}, status }, taints };
}

/** Admission taints every new node as not ready. The patch removes the taint, as a node controller would. */
function created(object: JsonObject, taints: Json[]): Step[] {
  const patch = {
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec: { taints } }),
  };
  return [
    { method: 'POST', path: '/api/v1/nodes', headers: JSON_TYPE, body: JSON.stringify(object) },
    { method: 'PATCH', path: `/api/v1/nodes/${nameOf(object)}`, ...patch, part: ({ status }) => status },
  ];
}

function pod(draw: Draw, name: string): JsonObject {
  const app = draw.pick(APPS);
  const labelSelector = { matchLabels: { app: draw.pick(APPS) } };
  const topologyKey = draw.pick(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
  const term = { labelSelector, topologyKey };
  const disk = { key: 'disk', operator: draw.pick(['In', 'NotIn']), values: ['ssd'] };
  const requests = {
    cpu: draw.pick(['100m', '500m', '1500m']),
    memory: draw.pick(['64Mi', '700Mi', '3Gi']),
    ...(draw.chance(0.2) ? { 'example.com/foo': '1' } : {}),
  };
  const container = {
    name: 'main',
    image: 'example.com/app:1',
    resources: { requests, limits: draw.chance(0.2) || 'example.com/foo' in requests ? requests : {} },
    ...(draw.chance(0.2) ? { ports: [{ containerPort: 80, hostPort: 8080 }] } : {}),
  };
  const spec: JsonObject = {
    containers: [container],
    ...(draw.chance(0.3) ? { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } : {}),
    ...(draw.chance(0.3) ? { nodeSelector: { disk: draw.pick(['ssd', 'hdd', 'none']) } } : {}),
    ...(draw.chance(0.3)
      ? {
          topologySpreadConstraints: [
            { maxSkew: 1, ...term, whenUnsatisfiable: draw.pick(['DoNotSchedule', 'ScheduleAnyway']) },
          ],
        }
      : {}),
    ...(draw.chance(0.5)
      ? {
          affinity: draw.pick<JsonObject>([
            { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
            { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
            {
              podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm: term }] },
            },
            {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [disk] }] },
              },
            },
            {
              nodeAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  { weight: 10, preference: { matchExpressions: [disk] } },
                ],
              },
            },
          ]),
        }
      : {}),
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app } }, spec };
}

function placed(object: JsonObject): Step[] {
  const pods = '/api/v1/namespaces/{ns}/pods';
  return [
    { method: 'POST', path: pods, headers: JSON_TYPE, body: JSON.stringify(object), part: ({ status }) => status },
    {
      method: 'GET',
      path: `${pods}/${nameOf(object)}`,
      until: (answer) => verdict(answer) !== undefined,
      part: verdict,
    },
  ];
}

/** The pod's node, or the scheduler's message about why it has none. Undefined while no decision was made. */
function verdict({ body }: Answer): string | undefined {
  const { spec, status } = body as {
    readonly spec?: { readonly nodeName?: string };
    readonly status?: { readonly conditions?: readonly Json[] };
  };
  if (spec?.nodeName !== undefined) return spec.nodeName;
  const condition = status?.conditions?.filter((it) => isObject(it)).find((it) => it['type'] === 'PodScheduled');
  return condition === undefined ? undefined : String(condition['message']);
}
