import { expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { partialMetadata } from './partial-metadata.ts';

const GENERATION = { 'deprecated.daemonset.template.generation': '1' };
const METRICS = { 'autoscaling.alpha.kubernetes.io/metrics': '[]' };
const autoscaler = (version: string): JsonObject => ({ apiVersion: version, kind: 'HorizontalPodAutoscaler' });

test.each<[string, JsonObject, JsonObject, JsonObject | undefined]>([
  ['the generation of a template', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, { a: 'b', ...GENERATION }, { a: 'b' }],
  ['the only annotation', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, GENERATION, undefined],
  [
    'the annotation of autoscaling/v1 for fields of v2',
    autoscaler('autoscaling/v1'),
    { a: 'b', ...METRICS },
    { a: 'b' },
  ],
  ['no annotation of autoscaling/v2', autoscaler('autoscaling/v2'), METRICS, METRICS],
  ['no annotation of other kinds', { apiVersion: 'apps/v1', kind: 'Deployment' }, GENERATION, GENERATION],
])('leaves out %s', (_, head, annotations, left) => {
  const object = { ...head, metadata: { name: 'a', annotations }, spec: {} };
  expect(partialMetadata(object)).toEqual({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'a', ...defined({ annotations: left }) },
  });
});
