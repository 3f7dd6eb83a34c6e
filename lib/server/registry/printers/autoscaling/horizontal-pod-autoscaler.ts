import { convert } from '#lib/api/conversion/convert.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerAsAutoscalingV1 } from '#lib/api/types/autoscaling.v1.ts';
import type { HorizontalPodAutoscaler } from '#lib/api/types/autoscaling.v2.ts';
import { HORIZONTAL_POD_AUTOSCALERS } from '#lib/api/types/resources.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';
import { metricsText } from './metrics.ts';

const V2 = { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' };

/** Upstream's printHorizontalPodAutoscaler, for both versions of an autoscaler. */
export const horizontalPodAutoscaler: TablePrinter<HorizontalPodAutoscaler | HorizontalPodAutoscalerAsAutoscalingV1> = {
  columns: named(
    column('Reference', 'What is scaled.'),
    column('Targets', 'The metrics that it is scaled by: their values and what these should be.'),
    column('MinPods', 'The least number of pods.'),
    column('MaxPods', 'The greatest number of pods.'),
    column('Replicas', 'The number of pods that was last seen.'),
  ),
  cells: (object, now) =>
    cellsOfV2(
      typedObject(HORIZONTAL_POD_AUTOSCALERS, object.apiVersion === 'autoscaling/v1' ? convert(object, V2) : object),
      now,
    ),
};

function cellsOfV2(object: HorizontalPodAutoscaler, now: Date): Json[] {
  const { spec, status } = object;
  const { kind, name } = spec.scaleTargetRef;
  return [
    nameOf(object),
    `${kind}/${name}`,
    metricsText(spec.metrics ?? [], status.currentMetrics ?? []),
    String(spec.minReplicas ?? UNSET),
    spec.maxReplicas,
    status.currentReplicas ?? 0,
    age(object, now),
  ];
}
