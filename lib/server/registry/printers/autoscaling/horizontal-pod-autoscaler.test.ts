import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { HorizontalPodAutoscaler } from '#lib/api/types/autoscaling.v2.ts';
import { AUTOSCALINGV1_HORIZONTAL_POD_AUTOSCALERS, HORIZONTAL_POD_AUTOSCALERS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';

const NOW = new Date(0);
const SCALED = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 };

const anAutoscaler = (metrics: JsonObject[], currentMetrics: JsonObject[] = []): HorizontalPodAutoscaler =>
  decodedAs(HORIZONTAL_POD_AUTOSCALERS, {
    metadata: { name: 'h' },
    spec: { ...SCALED, metrics },
    status: { currentReplicas: 2, currentMetrics },
  });

const resource = (target: JsonObject): JsonObject => ({ type: 'Resource', resource: { name: 'cpu', target } });
const external = (target: JsonObject): JsonObject => ({ type: 'External', external: { target } });
const object = (target: JsonObject): JsonObject => ({ type: 'Object', object: { target } });
const pods: JsonObject = { type: 'Pods', pods: { target: { averageValue: '1k' } } };
const container = (target: JsonObject): JsonObject => ({
  type: 'ContainerResource',
  containerResource: { name: 'memory', container: 'a', target },
});
const current = (field: string, values: JsonObject): JsonObject => ({ [field]: { current: values } });

test.each<[string, JsonObject[], JsonObject[], string]>([
  ['no metrics', [], [], '<none>'],
  ['an unknown utilization', [resource({ averageUtilization: 80 })], [], 'cpu: <unknown>/80%'],
  [
    'a utilization',
    [resource({ averageUtilization: 80 })],
    [current('resource', { averageUtilization: 35, averageValue: '1' })],
    'cpu: 35%/80%',
  ],
  ['a metric without a target', [resource({})], [], 'cpu: <unknown>/<auto>'],
  ['an amount', [resource({ averageValue: '500m' })], [current('resource', { averageValue: '2' })], 'cpu: 2/500m'],
  [
    'the utilization of a container',
    [container({ averageUtilization: 10 })],
    [current('containerResource', { averageUtilization: 9 })],
    'memory: 9%/10%',
  ],
  ['the amount of a container', [container({ averageValue: '1Gi' })], [], 'memory: <unknown>/1Gi'],
  ['a pods metric', [pods], [current('pods', { averageValue: '7' })], '7/1k'],
  ['a pods metric without a value', [pods], [current('pods', {})], '<nil>/1k'],
  ['an external metric', [external({ value: '30' })], [current('external', { value: '5' })], '5/30'],
  [
    'an external metric per pod',
    [external({ averageValue: '30' })],
    [current('external', { averageValue: '5' })],
    '5/30 (avg)',
  ],
  ['an object metric', [object({ value: '30' })], [], '<unknown>/30'],
  [
    'an object metric per pod',
    [object({ averageValue: '30' })],
    [current('object', { value: '5' })],
    '<unknown>/30 (avg)',
  ],
  ['more than two metrics', [pods, { type: 'New' }, pods, pods], [], '<unknown>/1k, <unknown type> + 2 more...'],
])('shows the targets of %s', (_, metrics, statuses, text) => {
  expect(horizontalPodAutoscaler.cells(anAutoscaler(metrics, statuses), NOW)[2]).toBe(text);
});

test('prints an autoscaler equally in both versions', () => {
  const v1 = decodedAs(AUTOSCALINGV1_HORIZONTAL_POD_AUTOSCALERS, {
    metadata: { name: 'h' },
    spec: { ...SCALED, targetCPUUtilizationPercentage: 80 },
    status: { currentReplicas: 2, currentCPUUtilizationPercentage: 35 },
  });
  const v2 = anAutoscaler([resource({ averageUtilization: 80 })], [current('resource', { averageUtilization: 35 })]);
  const cells = horizontalPodAutoscaler.cells(v1, NOW);
  expect(cells.slice(0, 6)).toEqual(['h', 'Deployment/d', 'cpu: 35%/80%', '<unset>', 3, 2]);
  expect(cells).toEqual(horizontalPodAutoscaler.cells(v2, NOW));
});
