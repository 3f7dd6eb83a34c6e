import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { POD_TEMPLATES, PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, aPod, volume } from './builders.ts';
import { defaultPod, defaultPodTemplate } from './defaults.ts';
import { imageTag } from './image-name.ts';
import { podQOS } from './qos.ts';

const firstContainer = ({ spec }: Pick<Pod, 'spec'>): Container | undefined => spec.containers?.[0];

describe('defaults of a pod', () => {
  test('set policies, scheduler and service account', () => {
    expect(aPod().spec).toMatchObject({
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      enableServiceLinks: true,
      serviceAccount: 'default',
    });
  });

  test('leave service links and requests of a template unset', () => {
    const containers = [aContainer({ resources: { limits: { cpu: '1' } } })];
    const { template } = decodedAs(POD_TEMPLATES, { template: { spec: { containers } } });
    defaultPodTemplate(template);
    expect(template.spec).not.toHaveProperty('enableServiceLinks');
    expect(firstContainer(template)?.resources).toEqual({ limits: { cpu: '1' } });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'copy limits to requests',
      { resources: { limits: { cpu: '0.5', memory: '1Gi' }, requests: { cpu: '100m' } } },
      { resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '100m', memory: '1Gi' } } },
    ],
    [
      'round quantities up to thousandths',
      { resources: { requests: { cpu: '0.0001' } } },
      { resources: { requests: { cpu: '1m' } } },
    ],
    [
      'set the port protocol to TCP',
      { ports: [{ containerPort: 80 }] },
      { ports: [{ containerPort: 80, protocol: 'TCP' }] },
    ],
    [
      'set the timing and the handler of a probe',
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
      'set version and divisor of downward API references',
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
  ])('defaults of containers %s', (_, fields, expected) => {
    expect(firstContainer(aPod({ containers: [aContainer(fields)] }))).toMatchObject(expected);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['a volume without a source', {}, { emptyDir: {} }],
    ['a secret volume', { secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
    ['a host path volume', { hostPath: { path: '/p' } }, { hostPath: { path: '/p', type: '' } }],
    [
      'a projected token volume',
      { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] } },
    ],
    ['an image volume', { image: { reference: 'a' } }, { image: { reference: 'a', pullPolicy: 'Always' } }],
  ])('set the fields of %s', (_, source, expected) => {
    const { spec } = aPod({ volumes: [volume('v', source)] });
    expect(spec.volumes?.[0]).toEqual({ name: 'v', ...expected });
  });

  test('copy container ports to host ports with host networking', () => {
    const pod = aPod({ hostNetwork: true, containers: [aContainer({ ports: [{ containerPort: 80 }] })] });
    expect(firstContainer(pod)?.ports).toEqual([{ containerPort: 80, hostPort: 80, protocol: 'TCP' }]);
  });

  test('derive the requests of a pod with limits from its containers', () => {
    const containers = [aContainer({ resources: { requests: { cpu: '1', 'ephemeral-storage': '1Gi' } } })];
    const pod = aPod({ containers, resources: { limits: { cpu: '2', memory: '1Gi' } } });
    expect(pod.spec.resources).toEqual({
      limits: { cpu: '2', memory: '1Gi' },
      requests: { cpu: '1', memory: '1Gi' },
    });
  });

  test('replace legacy fields and annotations', () => {
    const pod = decodedAs(PODS, {
      metadata: { annotations: { 'pod.beta.kubernetes.io/init-containers': '[]', kept: '1' } },
      spec: { serviceAccount: 'robot', terminationGracePeriodSeconds: -5 },
      status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }] },
    });
    defaultPod(pod);
    expect(pod).toMatchObject({
      metadata: { annotations: { kept: '1' } },
      spec: { serviceAccountName: 'robot', terminationGracePeriodSeconds: 1 },
      status: { podIPs: [{ ip: '10.0.0.1' }] },
    });
    expect(pod.metadata.annotations).toEqual({ kept: '1' });
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
  ['BestEffort', [{}], 'without resources'],
  [
    'BestEffort',
    [{ limits: { 'vendor.example/gpu': '1' }, requests: { 'vendor.example/gpu': '1' } }],
    'that requests only devices',
  ],
  ['Guaranteed', [{ limits: both, requests: both }], 'that requests its limits'],
  [
    'Guaranteed',
    [{ limits: both, requests: { cpu: '1000m', memory: '1024Mi' } }],
    'that writes equal amounts differently',
  ],
  ['Burstable', [{ limits: both, requests: both }, {}], 'with a container without resources'],
  ['Burstable', [{ limits: { cpu: '1' }, requests: { cpu: '1' } }], 'without memory'],
  ['Burstable', [{ limits: both, requests: { ...both, cpu: '500m' } }], 'with limits above its requests'],
])('the QoS class is %s for a pod %3$s', (expected, resources) => {
  const containers = resources.map((one) => ({ resources: one }));
  expect(podQOS(decodedAs(PODS, { spec: { containers } }).spec)).toBe(expected);
});
