import { typedObject } from '#lib/api/typed.ts';
import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from '#lib/api/types/autoscaling.v2.ts';
import { AUTOSCALINGV1_HORIZONTAL_POD_AUTOSCALERS } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import { wasEmpty } from '#lib/machinery/empties.ts';
import { type JsonObject, ownField } from '#lib/machinery/json-value.ts';

/** Upstream's SetDefaults_HorizontalPodAutoscaler for autoscaling/v2. */
export function defaultAutoscaler({ spec }: HorizontalPodAutoscaler): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [cpuMetric()];
  const behavior = spec.behavior;
  if (behavior === undefined) return;
  behavior.scaleUp = merged(upRules(), behavior.scaleUp);
  behavior.scaleDown = merged(downRules(), behavior.scaleDown);
}

/** Defaults of autoscaling/v1, which its writers own. In that version, non-CPU metrics are in an annotation. */
export function defaultFirstVersion(object: JsonObject): void {
  const { spec, metadata } = typedObject(AUTOSCALINGV1_HORIZONTAL_POD_AUTOSCALERS, object);
  spec.minReplicas ??= 1;
  if (ownField(metadata.annotations, METRICS) === undefined) spec.targetCPUUtilizationPercentage ??= 80;
}
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';

const cpuMetric = (): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
});

const upRules = (): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});

/** Sets no stabilization window for scale-down. If it is absent, the controller's option applies. */
const downRules = (): HPAScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

function merged(rules: HPAScalingRules, given: HPAScalingRules | undefined): HPAScalingRules {
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = given ?? {};
  Object.assign(rules, defined({ stabilizationWindowSeconds, selectPolicy, policies, tolerance }));
  // An empty list of policies is not defaulted, so that validation rejects it.
  if (wasEmpty(given, 'policies')) delete rules.policies;
  return rules;
}
