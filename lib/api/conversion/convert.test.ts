import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { decodeTyped } from '../codec/decode.ts';
import { convert } from './convert.ts';

const autoscaler = (version: string) => ({ group: 'autoscaling', version, kind: 'HorizontalPodAutoscaler' });
const ALPHA = 'autoscaling.alpha.kubernetes.io/';

const anAutoscaler = (version: string, rest: JsonObject): JsonObject => decodeTyped(autoscaler(version), rest).object;
const cpu = (averageUtilization: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const pods: JsonObject = {
  type: 'Pods',
  pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '100m' } },
};

describe('autoscalers', () => {
  test('converts the CPU to a field of v1 and the rest to annotations', () => {
    const v1 = convert(anAutoscaler('v2', { spec: { metrics: [cpu(55), pods], maxReplicas: 3 } }), autoscaler('v1'));
    expect(v1['spec']).toMatchObject({ targetCPUUtilizationPercentage: 55, maxReplicas: 3 });
    expect(v1['metadata']).toEqual({
      annotations: {
        [`${ALPHA}metrics`]: '[{"type":"Pods","pods":{"metricName":"x","targetAverageValue":"100m"}}]',
      },
    });
  });

  test('writes behavior with the names of the internal structs', () => {
    const behavior = { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] } };
    const v1 = convert(anAutoscaler('v2', { spec: { behavior } }), autoscaler('v1'));
    expect(v1['metadata']).toEqual({
      annotations: {
        [`${ALPHA}behavior`]:
          '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":2}],"Tolerance":null}}',
      },
    });
  });

  test('converts v2 to v1 and back', () => {
    const v2 = anAutoscaler('v2', {
      metadata: { name: 'a', annotations: { mine: 'kept' } },
      spec: { maxReplicas: 2, minReplicas: 1, metrics: [pods, cpu(7)], behavior: { scaleUp: { selectPolicy: 'Max' } } },
      status: {
        desiredReplicas: 1,
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '1', averageUtilization: 3 } } },
        ],
        conditions: [{ type: 'AbleToScale', status: 'True' }],
      },
    });
    expect(convert(convert(v2, autoscaler('v1')), autoscaler('v2'))).toEqual(v2);
  });

  test.each<[string, JsonObject, JsonObject[]]>([
    ['nothing', {}, [cpu(80)]],
    ['a broken annotation', { metadata: { annotations: { [`${ALPHA}metrics`]: '{' } } }, [cpu(80)]],
    ['an annotation of another type', { metadata: { annotations: { [`${ALPHA}metrics`]: '[1]' } } }, [cpu(80)]],
    ['a percentage', { spec: { targetCPUUtilizationPercentage: 5 } }, [cpu(5)]],
  ])('converts v1 with %s', (_, v1, metrics) => {
    const v2 = convert(anAutoscaler('v1', v1), autoscaler('v2'));
    expect(v2['spec']).toMatchObject({ metrics });
    expect(v2['metadata']).toEqual({});
  });

  test('drops the annotations of another version from v2', () => {
    const v2 = anAutoscaler('v2', { metadata: { annotations: { [`${ALPHA}conditions`]: '[]', b: 'c' } } });
    expect(convert(v2, autoscaler('v2'))['metadata']).toEqual({ annotations: { b: 'c' } });
  });
});

describe('events', () => {
  const core = { group: '', version: 'v1', kind: 'Event' };
  const events = { group: 'events.k8s.io', version: 'v1', kind: 'Event' };

  test('renames the fields between the two groups', () => {
    const event = decodeTyped(core, {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p' },
      message: 'm',
      reason: 'r',
      count: 2,
      source: { component: 'c' },
      firstTimestamp: '2024-01-01T00:00:00Z',
      reportingComponent: 'rc',
      series: { count: 3, lastObservedTime: '2024-01-01T00:00:00.000001Z' },
    }).object;
    const view = convert(event, events);
    expect(view).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'Pod', name: 'p' },
      note: 'm',
      deprecatedCount: 2,
      deprecatedSource: { component: 'c' },
      deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
      reportingController: 'rc',
    });
    expect(view['involvedObject']).toBeUndefined();
    expect(convert(view, core)).toEqual(event);
  });
});

test('returns a kind of one version as it is, and rejects an unknown version', () => {
  const map: JsonObject = { kind: 'ConfigMap', apiVersion: 'v1' };
  expect(convert(map, { group: '', version: 'v1', kind: 'ConfigMap' })).toBe(map);
  expect(() => convert(map, { group: 'x', version: 'v1', kind: 'ConfigMap' })).toThrow(TypeError);
});
