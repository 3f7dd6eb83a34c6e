// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Int64, Quantity, Time } from './scalars.ts';

/** A resource of one container of the pods. */
export type ContainerResourceMetricSource = {
  [typed]?: 'autoscaling.v1.ContainerResourceMetricSource';
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: Quantity;
  container: string;
};

/** The last value of a resource of one container. */
export type ContainerResourceMetricStatus = {
  [typed]?: 'autoscaling.v1.ContainerResourceMetricStatus';
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: Quantity;
  container: string;
};

/** Names an object of the namespace. */
export type CrossVersionObjectReference = {
  [typed]?: 'autoscaling.v1.CrossVersionObjectReference';
  kind: string;
  name: string;
  apiVersion?: string;
};

/** A metric of another system, and its target. */
export type ExternalMetricSource = {
  [typed]?: 'autoscaling.v1.ExternalMetricSource';
  metricName: string;
  metricSelector?: LabelSelector;
  targetValue?: Quantity;
  targetAverageValue?: Quantity;
};

/** The last value of a metric of another system. */
export type ExternalMetricStatus = {
  [typed]?: 'autoscaling.v1.ExternalMetricStatus';
  metricName: string;
  metricSelector?: LabelSelector;
  currentValue: Quantity;
  currentAverageValue?: Quantity;
};

/** Changes the number of pods of another object so that their use of CPU stays near a target. */
export type HorizontalPodAutoscaler = {
  [typed]?: 'autoscaling.v1.HorizontalPodAutoscaler';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status: HorizontalPodAutoscalerStatus;
};

/** One aspect of a HorizontalPodAutoscaler's state; kept in an annotation. */
export type HorizontalPodAutoscalerCondition = {
  [typed]?: 'autoscaling.v1.HorizontalPodAutoscalerCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerList = {
  [typed]?: 'autoscaling.v1.HorizontalPodAutoscalerList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: HorizontalPodAutoscaler[] | null;
};

/** The object that is scaled, and its limits. */
export type HorizontalPodAutoscalerSpec = {
  [typed]?: 'autoscaling.v1.HorizontalPodAutoscalerSpec';
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number;
};

/** The last observed status of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerStatus = {
  [typed]?: 'autoscaling.v1.HorizontalPodAutoscalerStatus';
  observedGeneration?: Int64;
  lastScaleTime?: Time;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
};

/** One metric and its target; kept in an annotation. */
export type MetricSpec = {
  [typed]?: 'autoscaling.v1.MetricSpec';
  type: string;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
};

/** The last value of one metric; kept in an annotation. */
export type MetricStatus = {
  [typed]?: 'autoscaling.v1.MetricStatus';
  type: string;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
};

/** A metric of one object, and its target. */
export type ObjectMetricSource = {
  [typed]?: 'autoscaling.v1.ObjectMetricSource';
  target: CrossVersionObjectReference;
  metricName: string;
  targetValue: Quantity;
  selector?: LabelSelector;
  averageValue?: Quantity;
};

/** The last value of a metric of one object. */
export type ObjectMetricStatus = {
  [typed]?: 'autoscaling.v1.ObjectMetricStatus';
  target: CrossVersionObjectReference;
  metricName: string;
  currentValue: Quantity;
  selector?: LabelSelector;
  averageValue?: Quantity;
};

/** A metric of each pod. */
export type PodsMetricSource = {
  [typed]?: 'autoscaling.v1.PodsMetricSource';
  metricName: string;
  targetAverageValue: Quantity;
  selector?: LabelSelector;
};

/** The last value of a metric of the pods. */
export type PodsMetricStatus = {
  [typed]?: 'autoscaling.v1.PodsMetricStatus';
  metricName: string;
  currentAverageValue: Quantity;
  selector?: LabelSelector;
};

/** A resource of the pods. */
export type ResourceMetricSource = {
  [typed]?: 'autoscaling.v1.ResourceMetricSource';
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: Quantity;
};

/** The last value of a resource of the pods. */
export type ResourceMetricStatus = {
  [typed]?: 'autoscaling.v1.ResourceMetricStatus';
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: Quantity;
};

/** The subresource through which an object's number of pods is read and changed. */
export type Scale = {
  [typed]?: 'autoscaling.v1.Scale';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ScaleSpec;
  status: ScaleStatus;
};

/** The desired number of replicas. */
export type ScaleSpec = {
  [typed]?: 'autoscaling.v1.ScaleSpec';
  replicas?: number;
};

/** The current number of replicas. */
export type ScaleStatus = {
  [typed]?: 'autoscaling.v1.ScaleStatus';
  replicas: number;
  selector?: string;
};
