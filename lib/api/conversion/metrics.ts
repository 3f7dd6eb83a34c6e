import { type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';

/**
 * Metrics of autoscaling v1 (in annotations) and v2. Both name the source of a metric by its type. v2 groups the fields as `metric`,
 * `target` (spec) and `current` (status), while v1 has all fields directly in the source. Absent fields are undefined here. The typed
 * decode that follows drops them.
 */
type Source = Record<string, Json | undefined>;
type Convert = (source: JsonObject) => Source;

const SOURCES = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;
type SourceName = (typeof SOURCES)[number];

function convertSources(metric: JsonObject, by: Readonly<Record<SourceName, Convert>>): JsonObject {
  const converted: Source = { type: ownField(metric, 'type') };
  for (const name of SOURCES) {
    const source = objectAt(metric, name);
    if (source !== undefined) converted[name] = defined(by[name](source));
  }
  return defined(converted);
}

function defined(source: Source): JsonObject {
  return Object.fromEntries(Object.entries(source).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const at = (object: JsonObject | undefined, field: string): Json | undefined => ownField(object, field) ?? undefined;

const metric = (name: Json | undefined, selector: Json | undefined): JsonObject => defined({ name, selector });

const target = (
  type: string,
  { value, averageValue, averageUtilization }: { readonly [field: string]: Json | undefined },
): JsonObject => defined({ type, value, averageValue, averageUtilization });

const isZero = (quantity: Json | undefined): boolean =>
  quantity === undefined || /^[+-]?0*\.?0*[a-zA-Z]*$/.test(String(quantity));

/** Converts a v1 metric's spec to v2. */
export const metricSpecToV2 = (spec: JsonObject): JsonObject =>
  convertSources(spec, {
    object: (source) => {
      const averageValue = at(source, 'averageValue');
      const value =
        averageValue !== undefined && isZero(at(source, 'targetValue')) ? undefined : at(source, 'targetValue');
      return {
        describedObject: at(source, 'target'),
        target: target(averageValue === undefined ? 'Value' : 'AverageValue', { value, averageValue }),
        metric: metric(at(source, 'metricName'), at(source, 'selector')),
      };
    },
    pods: (source) => ({
      metric: metric(at(source, 'metricName'), at(source, 'selector')),
      target: target('AverageValue', { averageValue: at(source, 'targetAverageValue') }),
    }),
    resource: resourceSpecToV2,
    containerResource: resourceSpecToV2,
    external: (source) => {
      const value = at(source, 'targetValue');
      return {
        metric: metric(at(source, 'metricName'), at(source, 'metricSelector')),
        target: target(value === undefined ? 'AverageValue' : 'Value', {
          value,
          averageValue: at(source, 'targetAverageValue'),
        }),
      };
    },
  });

function resourceSpecToV2(source: JsonObject): Source {
  const averageUtilization = at(source, 'targetAverageUtilization');
  const type = averageUtilization === undefined ? 'AverageValue' : 'Utilization';
  return {
    name: at(source, 'name'),
    container: at(source, 'container'),
    target: target(type, { averageValue: at(source, 'targetAverageValue'), averageUtilization }),
  };
}

/** Converts a v2 metric's spec to v1. */
export const metricSpecToV1 = (spec: JsonObject): JsonObject =>
  convertSources(spec, {
    object: (source) => ({
      target: at(source, 'describedObject'),
      targetValue: at(objectAt(source, 'target'), 'value'),
      averageValue: at(objectAt(source, 'target'), 'averageValue'),
      ...named(source, 'selector'),
    }),
    pods: (source) => ({
      targetAverageValue: at(objectAt(source, 'target'), 'averageValue'),
      ...named(source, 'selector'),
    }),
    resource: resourceSpecToV1,
    containerResource: resourceSpecToV1,
    external: (source) => ({
      targetValue: at(objectAt(source, 'target'), 'value'),
      targetAverageValue: at(objectAt(source, 'target'), 'averageValue'),
      ...named(source, 'metricSelector'),
    }),
  });

function named(source: JsonObject, selector: string): Source {
  const of = objectAt(source, 'metric');
  return { metricName: at(of, 'name'), [selector]: at(of, 'selector') };
}

function resourceSpecToV1(source: JsonObject): Source {
  const of = objectAt(source, 'target');
  return {
    name: at(source, 'name'),
    container: at(source, 'container'),
    targetAverageUtilization: at(of, 'averageUtilization'),
    targetAverageValue: at(of, 'averageValue'),
  };
}

/** Converts a v1 metric's status to v2. */
export const metricStatusToV2 = (status: JsonObject): JsonObject =>
  convertSources(status, {
    object: (source) => ({
      metric: metric(at(source, 'metricName'), at(source, 'selector')),
      current: defined({ value: at(source, 'currentValue'), averageValue: at(source, 'averageValue') }),
      describedObject: at(source, 'target'),
    }),
    pods: (source) => ({
      metric: metric(at(source, 'metricName'), at(source, 'selector')),
      current: defined({ averageValue: at(source, 'currentAverageValue') }),
    }),
    resource: resourceStatusToV2,
    containerResource: resourceStatusToV2,
    external: (source) => ({
      metric: metric(at(source, 'metricName'), at(source, 'metricSelector')),
      current: defined({ value: at(source, 'currentValue'), averageValue: at(source, 'currentAverageValue') }),
    }),
  });

function resourceStatusToV2(source: JsonObject): Source {
  return {
    name: at(source, 'name'),
    container: at(source, 'container'),
    current: defined({
      averageValue: at(source, 'currentAverageValue'),
      averageUtilization: at(source, 'currentAverageUtilization'),
    }),
  };
}

/** Converts a v2 metric's status to v1. */
export const metricStatusToV1 = (status: JsonObject): JsonObject =>
  convertSources(status, {
    object: (source) => ({
      target: at(source, 'describedObject'),
      currentValue: at(objectAt(source, 'current'), 'value'),
      averageValue: at(objectAt(source, 'current'), 'averageValue'),
      ...named(source, 'selector'),
    }),
    pods: (source) => ({
      currentAverageValue: at(objectAt(source, 'current'), 'averageValue'),
      ...named(source, 'selector'),
    }),
    resource: resourceStatusToV1,
    containerResource: resourceStatusToV1,
    external: (source) => ({
      currentValue: at(objectAt(source, 'current'), 'value'),
      currentAverageValue: at(objectAt(source, 'current'), 'averageValue'),
      ...named(source, 'metricSelector'),
    }),
  });

function resourceStatusToV1(source: JsonObject): Source {
  const of = objectAt(source, 'current');
  return {
    name: at(source, 'name'),
    container: at(source, 'container'),
    currentAverageUtilization: at(of, 'averageUtilization'),
    currentAverageValue: at(of, 'averageValue'),
  };
}
