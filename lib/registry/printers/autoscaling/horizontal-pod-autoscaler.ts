import { convert } from '#lib/api/conversion/convert.ts';
import { objectAt, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count, integer, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';
import { metricsText } from './metrics.ts';

const V2 = { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' };

/** Upstream's printHorizontalPodAutoscaler, of an autoscaler in either version. */
export const horizontalPodAutoscaler: TablePrinter = {
  columns: named(
    column('Reference', 'What is scaled.'),
    column('Targets', 'The metrics that it is scaled by: their values and what these should be.'),
    column('MinPods', 'The least number of pods.'),
    column('MaxPods', 'The greatest number of pods.'),
    column('Replicas', 'The number of pods that was last seen.'),
  ),
  cells: (object, now) =>
    cellsOfV2(stringAt(object, 'apiVersion') === 'autoscaling/v1' ? convert(object, V2) : object, now),
};

function cellsOfV2(object: JsonObject, now: Date): Json[] {
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  const target = objectAt(spec, 'scaleTargetRef');
  return [
    nameOf(object),
    `${text(target, 'kind')}/${text(target, 'name')}`,
    metricsText(items(spec, 'metrics'), items(status, 'currentMetrics')),
    String(integer(spec, 'minReplicas') ?? UNSET),
    count(spec, 'maxReplicas'),
    count(status, 'currentReplicas'),
    age(object, now),
  ];
}
