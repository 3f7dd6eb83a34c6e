import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, integer, text } from '#lib/machinery/unstructured.ts';
import { NONE, textUnlessNull, UNKNOWN } from '../cells.ts';

const SHOWN = 2;

/** The first two metrics of an autoscaler as `current/target`, and how many more there are. */
export function metricsText(specs: readonly JsonObject[], statuses: readonly JsonObject[]): string {
  if (specs.length === 0) return NONE;
  const shown = specs.slice(0, SHOWN).map((spec, index) => metricText(spec, statuses[index]));
  const more = specs.length - SHOWN;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

function metricText(spec: JsonObject, status: JsonObject | undefined): string {
  switch (text(spec, 'type')) {
    case 'External':
      return valueText(objectAt(spec, 'external'), objectAt(status, 'external'));
    case 'Object':
      return valueText(objectAt(spec, 'object'), objectAt(status, 'object'));
    case 'Pods':
      return averageText(objectAt(spec, 'pods'), objectAt(status, 'pods'));
    case 'Resource':
      return resourceText(objectAt(spec, 'resource'), objectAt(status, 'resource'));
    case 'ContainerResource':
      return resourceText(objectAt(spec, 'containerResource'), objectAt(status, 'containerResource'));
    default:
      return '<unknown type>';
  }
}

type Metric = JsonObject | undefined;

/** As Go writes a quantity that is not there. */
const quantity = (values: Metric, field: string): string => textUnlessNull(values, field, '<nil>');

/** What is measured of one thing; a target per pod is marked as the average that it is. */
function valueText(spec: Metric, status: Metric): string {
  const target = at(spec, 'target');
  if (has(target, 'averageValue')) {
    const current = textUnlessNull(at(status, 'current'), 'averageValue', UNKNOWN);
    return `${current}/${quantity(target, 'averageValue')} (avg)`;
  }
  const current = status === undefined ? UNKNOWN : quantity(at(status, 'current'), 'value');
  return `${current}/${quantity(target, 'value')}`;
}

function averageText(spec: Metric, status: Metric): string {
  const current = status === undefined ? UNKNOWN : quantity(at(status, 'current'), 'averageValue');
  return `${current}/${quantity(at(spec, 'target'), 'averageValue')}`;
}

function resourceText(spec: Metric, status: Metric): string {
  const target = at(spec, 'target');
  const shown = has(target, 'averageValue')
    ? averageText(spec, status)
    : `${percent(at(status, 'current')) ?? UNKNOWN}/${percent(target) ?? '<auto>'}`;
  return `${text(spec, 'name')}: ${shown}`;
}

function percent(values: Metric): string | undefined {
  const utilization = integer(values, 'averageUtilization');
  return utilization === undefined ? undefined : `${utilization}%`;
}
