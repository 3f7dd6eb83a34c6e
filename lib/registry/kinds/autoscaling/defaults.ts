import { wasEmpty } from '#lib/machinery/empties.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, has, items } from '#lib/machinery/unstructured.ts';

/** Upstream's SetDefaults_HorizontalPodAutoscaler of autoscaling/v2. */
export function defaultAutoscaler(autoscaler: JsonObject): void {
  const spec = ensure(autoscaler, 'spec');
  spec['minReplicas'] ??= 1;
  if (items(spec, 'metrics').length === 0) spec['metrics'] = [cpuMetric()];
  const behavior = objectAt(spec, 'behavior');
  if (behavior === undefined) return;
  behavior['scaleUp'] = merged(upRules(), objectAt(behavior, 'scaleUp'));
  behavior['scaleDown'] = merged(downRules(), objectAt(behavior, 'scaleDown'));
}

/** What autoscaling/v1 has fields for; who writes it owns them. Other metrics are in an annotation there. */
export function defaultFirstVersion(autoscaler: JsonObject): void {
  const spec = ensure(autoscaler, 'spec');
  spec['minReplicas'] ??= 1;
  const annotations = objectAt(objectAt(autoscaler, 'metadata'), 'annotations') ?? {};
  if (!has(annotations, METRICS)) spec['targetCPUUtilizationPercentage'] ??= 80;
}
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';

const cpuMetric = (): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
});

const upRules = (): JsonObject => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});

/** How long a decrease waits is the controller's option where the object does not say it. */
const downRules = (): JsonObject => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

function merged(rules: JsonObject, given: JsonObject | undefined): JsonObject {
  for (const field of ['stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance']) {
    const value = ownField(given, field);
    if (has(given, field) && value !== undefined) rules[field] = value;
  }
  // A list without any policy is not defaulted, and refused.
  if (wasEmpty(given, 'policies')) delete rules['policies'];
  return rules;
}
