// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Int64, Quantity, Time } from './scalars.ts';

/** A resource of one container of the pods. */
export type ContainerResourceMetricSource = {
  [typed]?: 'autoscaling.v2.ContainerResourceMetricSource';
  name: string;
  target: MetricTarget;
  container: string;
};

/** The last value of a resource of one container. */
export type ContainerResourceMetricStatus = {
  [typed]?: 'autoscaling.v2.ContainerResourceMetricStatus';
  name: string;
  current: MetricValueStatus;
  container: string;
};

/** Names an object of the namespace. */
export type CrossVersionObjectReference = {
  [typed]?: 'autoscaling.v2.CrossVersionObjectReference';
  kind: string;
  name: string;
  apiVersion?: string;
};

/** A metric of another system, and its target. */
export type ExternalMetricSource = {
  [typed]?: 'autoscaling.v2.ExternalMetricSource';
  metric: MetricIdentifier;
  target: MetricTarget;
};

/** The last value of a metric of another system. */
export type ExternalMetricStatus = {
  [typed]?: 'autoscaling.v2.ExternalMetricStatus';
  metric: MetricIdentifier;
  current: MetricValueStatus;
};

/** How much may change in a time. */
export type HPAScalingPolicy = {
  [typed]?: 'autoscaling.v2.HPAScalingPolicy';
  type: string;
  value: number;
  periodSeconds: number;
};

/** How fast the number of pods goes in one direction. */
export type HPAScalingRules = {
  [typed]?: 'autoscaling.v2.HPAScalingRules';
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: HPAScalingPolicy[];
  tolerance?: Quantity;
};

/** Changes the number of pods of another object so that metrics stay near their targets. */
export type HorizontalPodAutoscaler = {
  [typed]?: 'autoscaling.v2.HorizontalPodAutoscaler';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status: HorizontalPodAutoscalerStatus;
};

/** How fast the number of pods goes up and down. */
export type HorizontalPodAutoscalerBehavior = {
  [typed]?: 'autoscaling.v2.HorizontalPodAutoscalerBehavior';
  scaleUp?: HPAScalingRules;
  scaleDown?: HPAScalingRules;
};

/** One aspect of a HorizontalPodAutoscaler's state, as last observed. */
export type HorizontalPodAutoscalerCondition = {
  [typed]?: 'autoscaling.v2.HorizontalPodAutoscalerCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerList = {
  [typed]?: 'autoscaling.v2.HorizontalPodAutoscalerList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: HorizontalPodAutoscaler[] | null;
};

/** The object that is scaled, its limits, and the metrics that decide. */
export type HorizontalPodAutoscalerSpec = {
  [typed]?: 'autoscaling.v2.HorizontalPodAutoscalerSpec';
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  metrics?: MetricSpec[];
  behavior?: HorizontalPodAutoscalerBehavior;
};

/** The last observed status of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerStatus = {
  [typed]?: 'autoscaling.v2.HorizontalPodAutoscalerStatus';
  observedGeneration?: Int64;
  lastScaleTime?: Time;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics: MetricStatus[] | null;
  conditions?: HorizontalPodAutoscalerCondition[];
};

/** Names a metric. */
export type MetricIdentifier = {
  [typed]?: 'autoscaling.v2.MetricIdentifier';
  name: string;
  selector?: LabelSelector;
};

/** One metric and its target: type, and the field that goes with it. */
export type MetricSpec = {
  [typed]?: 'autoscaling.v2.MetricSpec';
  type: string;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
};

/** The last value of one metric. */
export type MetricStatus = {
  [typed]?: 'autoscaling.v2.MetricStatus';
  type: string;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
};

/** The target of a metric. */
export type MetricTarget = {
  [typed]?: 'autoscaling.v2.MetricTarget';
  type: string;
  value?: Quantity;
  averageValue?: Quantity;
  averageUtilization?: number;
};

/** The last value of a metric, as a sum, an average or a share. */
export type MetricValueStatus = {
  [typed]?: 'autoscaling.v2.MetricValueStatus';
  value?: Quantity;
  averageValue?: Quantity;
  averageUtilization?: number;
};

/** A metric of one object. */
export type ObjectMetricSource = {
  [typed]?: 'autoscaling.v2.ObjectMetricSource';
  describedObject: CrossVersionObjectReference;
  target: MetricTarget;
  metric: MetricIdentifier;
};

/** The last value of a metric of one object. */
export type ObjectMetricStatus = {
  [typed]?: 'autoscaling.v2.ObjectMetricStatus';
  metric: MetricIdentifier;
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
};

/** A metric of each pod. */
export type PodsMetricSource = {
  [typed]?: 'autoscaling.v2.PodsMetricSource';
  metric: MetricIdentifier;
  target: MetricTarget;
};

/** The last value of a metric of the pods. */
export type PodsMetricStatus = {
  [typed]?: 'autoscaling.v2.PodsMetricStatus';
  metric: MetricIdentifier;
  current: MetricValueStatus;
};

/** A resource of the pods. */
export type ResourceMetricSource = {
  [typed]?: 'autoscaling.v2.ResourceMetricSource';
  name: string;
  target: MetricTarget;
};

/** The last value of a resource of the pods. */
export type ResourceMetricStatus = {
  [typed]?: 'autoscaling.v2.ResourceMetricStatus';
  name: string;
  current: MetricValueStatus;
};
