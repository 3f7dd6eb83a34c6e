import type {
  ContainerResourceMetricSource,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ResourceMetricSource,
} from '#lib/api/types/autoscaling.v2.ts';
import { NONE, UNKNOWN } from '../cells.ts';

const SHOWN = 2;

/** The first two metrics of an autoscaler as `current/target`, followed by the number of remaining metrics. */
export function metricsText(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return NONE;
  const shown = specs.slice(0, SHOWN).map((spec, index) => metricText(spec, statuses[index]));
  const more = specs.length - SHOWN;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return valueText(spec.external?.target, status?.external);
    case 'Object':
      return valueText(spec.object?.target, status?.object);
    case 'Pods':
      return averageText(spec.pods?.target, status?.pods);
    case 'Resource':
      return resourceText(spec.resource, status?.resource);
    case 'ContainerResource':
      return resourceText(spec.containerResource, status?.containerResource);
    default:
      return '<unknown type>';
  }
}

type Current = { readonly current: MetricValueStatus };

/** A missing quantity in Go's notation. */
const NIL = '<nil>';

/** The value of one metric. Marks a per-pod target as an average. */
function valueText(target: MetricTarget | undefined, status: Current | undefined): string {
  if (target?.averageValue !== undefined) {
    return `${status?.current.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
  }
  const current = status === undefined ? UNKNOWN : (status.current.value ?? NIL);
  return `${current}/${target?.value ?? NIL}`;
}

function averageText(target: MetricTarget | undefined, status: Current | undefined): string {
  const current = status === undefined ? UNKNOWN : (status.current.averageValue ?? NIL);
  return `${current}/${target?.averageValue ?? NIL}`;
}

function resourceText(
  spec: ResourceMetricSource | ContainerResourceMetricSource | undefined,
  status?: Current,
): string {
  const shown =
    spec?.target.averageValue !== undefined
      ? averageText(spec.target, status)
      : `${percent(status?.current) ?? UNKNOWN}/${percent(spec?.target) ?? '<auto>'}`;
  return `${spec?.name ?? ''}: ${shown}`;
}

const percent = (values: MetricTarget | MetricValueStatus | undefined): string | undefined =>
  values?.averageUtilization === undefined ? undefined : `${values.averageUtilization}%`;
