import { describe, expect, test } from 'vitest';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { aContainer, aPod, volume } from './builders.ts';
import { defaultPod, defaultPodTemplate } from './defaults.ts';
import { imageTag } from './image-name.ts';
import { podQOS } from './qos.ts';

const specOf = (pod: JsonObject): JsonObject => objectAt(pod, 'spec') ?? {};
const firstContainer = (pod: JsonObject): JsonObject => items(specOf(pod), 'containers')[0] ?? {};

describe('defaults of a pod', () => {
  test('fill in what runs it', () => {
    expect(specOf(aPod())).toMatchObject({
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      enableServiceLinks: true,
      serviceAccount: 'default',
    });
  });

  test('are not all those of a template', () => {
    const template: JsonObject = { spec: { containers: [aContainer({ resources: { limits: { cpu: '1' } } })] } };
    defaultPodTemplate(template);
    expect(specOf(template)).not.toHaveProperty('enableServiceLinks');
    expect(firstContainer(template)['resources']).toEqual({ limits: { cpu: '1' } });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'requests are limits',
      { resources: { limits: { cpu: '0.5', memory: '1Gi' }, requests: { cpu: '100m' } } },
      { resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '100m', memory: '1Gi' } } },
    ],
    [
      'quantities are rounded up',
      { resources: { requests: { cpu: '0.0001' } } },
      { resources: { requests: { cpu: '1m' } } },
    ],
    ['ports are of TCP', { ports: [{ containerPort: 80 }] }, { ports: [{ containerPort: 80, protocol: 'TCP' }] }],
    [
      'probes have a rhythm',
      { livenessProbe: { httpGet: { port: 80 } } },
      {
        livenessProbe: {
          httpGet: { port: 80, path: '/', scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
      },
    ],
    [
      'references have a version and a divisor',
      {
        env: [
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        ],
      },
      {
        env: [
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v1' } } },
          { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
        ],
      },
    ],
  ])('%s', (_, fields, expected) => {
    expect(firstContainer(aPod({ containers: [aContainer(fields)] }))).toMatchObject(expected);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['nothing', {}, { emptyDir: {} }],
    ['a secret', { secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
    ['a path', { hostPath: { path: '/p' } }, { hostPath: { path: '/p', type: '' } }],
    [
      'a token',
      { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] } },
    ],
    ['an image', { image: { reference: 'a' } }, { image: { reference: 'a', pullPolicy: 'Always' } }],
  ])('a volume of %s', (_, source, expected) => {
    const pod = aPod({ volumes: [volume('v', source)] });
    expect(items(specOf(pod), 'volumes')[0]).toEqual({ name: 'v', ...expected });
  });

  test("ports are the host's on its network", () => {
    const pod = aPod({ hostNetwork: true, containers: [aContainer({ ports: [{ containerPort: 80 }] })] });
    expect(firstContainer(pod)['ports']).toEqual([{ containerPort: 80, hostPort: 80, protocol: 'TCP' }]);
  });

  test('the pod requests what its containers do, within its limits', () => {
    const containers = [aContainer({ resources: { requests: { cpu: '1', 'ephemeral-storage': '1Gi' } } })];
    const pod = aPod({ containers, resources: { limits: { cpu: '2', memory: '1Gi' } } });
    expect(specOf(pod)['resources']).toEqual({
      limits: { cpu: '2', memory: '1Gi' },
      requests: { cpu: '1', memory: '1Gi' },
    });
  });

  test('old forms become new ones', () => {
    const pod: JsonObject = {
      metadata: { annotations: { 'pod.beta.kubernetes.io/init-containers': '[]', kept: '1' } },
      spec: { serviceAccount: 'robot', terminationGracePeriodSeconds: -5 },
      status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }] },
    };
    defaultPod(pod);
    expect(pod).toMatchObject({
      metadata: { annotations: { kept: '1' } },
      spec: { serviceAccountName: 'robot', terminationGracePeriodSeconds: 1 },
      status: { podIPs: [{ ip: '10.0.0.1' }] },
    });
    expect(objectAt(objectAt(pod, 'metadata'), 'annotations')).toEqual({ kept: '1' });
  });
});

test.each([
  ['nginx', 'latest'],
  ['nginx:1.27', '1.27'],
  ['nginx:latest', 'latest'],
  ['registry:5000/nginx', 'latest'],
  ['registry:5000/a/b:v1', 'v1'],
  [`nginx@sha256:${'a'.repeat(64)}`, ''],
  [`nginx:1@sha256:${'a'.repeat(64)}`, '1'],
  [`nginx@sha256:${'a'.repeat(63)}`, ''],
  ['Nginx', ''],
  ['Registry/nginx', 'latest'],
  ['a__b', 'latest'],
  ['a___b', ''],
  ['', ''],
  ['a'.repeat(64), ''],
  ['x:', ''],
])('the tag of %j is %j', (image, tag) => {
  expect(imageTag(image)).toBe(tag);
});

const both = { cpu: '1', memory: '1Gi' };
test.each<[string, JsonObject[], string]>([
  ['BestEffort', [{}], 'says nothing'],
  [
    'BestEffort',
    [{ limits: { 'vendor.example/gpu': '1' }, requests: { 'vendor.example/gpu': '1' } }],
    'asks for devices',
  ],
  ['Guaranteed', [{ limits: both, requests: both }], 'requests its limits'],
  ['Guaranteed', [{ limits: both, requests: { cpu: '1000m', memory: '1024Mi' } }], 'writes them differently'],
  ['Burstable', [{ limits: both, requests: both }, {}], 'leaves one container open'],
  ['Burstable', [{ limits: { cpu: '1' }, requests: { cpu: '1' } }], 'leaves memory open'],
  ['Burstable', [{ limits: both, requests: { ...both, cpu: '500m' } }], 'may use more'],
])('a pod is %s that %j', (expected, resources) => {
  expect(podQOS({ containers: resources.map((one) => ({ resources: one })) })).toBe(expected);
});
