// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ObjectReference, PodTemplateSpec } from './core.v1.ts';
import type { LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Int64, Time } from './scalars.ts';

/** Starts a Job at certain times, again and again. */
export type CronJob = {
  [typed]?: 'batch.v1.CronJob';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: CronJobSpec;
  status: CronJobStatus;
};

/** A list of objects of kind CronJob. */
export type CronJobList = {
  [typed]?: 'batch.v1.CronJobList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: CronJob[] | null;
};

/** When which Job is started. */
export type CronJobSpec = {
  [typed]?: 'batch.v1.CronJobSpec';
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: Int64;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
};

/** The last observed status of a CronJob. */
export type CronJobStatus = {
  [typed]?: 'batch.v1.CronJobStatus';
  active?: ObjectReference[];
  lastScheduleTime?: Time;
  lastSuccessfulTime?: Time;
};

/** Runs pods until enough of them have succeeded. */
export type Job = {
  [typed]?: 'batch.v1.Job';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: JobSpec;
  status: JobStatus;
};

/** One aspect of a Job's state, as last observed. */
export type JobCondition = {
  [typed]?: 'batch.v1.JobCondition';
  type: string;
  status: string;
  lastProbeTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind Job. */
export type JobList = {
  [typed]?: 'batch.v1.JobList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Job[] | null;
};

/** The pods that a Job runs, how many, and when it has succeeded or failed. */
export type JobSpec = {
  [typed]?: 'batch.v1.JobSpec';
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: Int64;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelector;
  manualSelector?: boolean;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: string;
  suspend?: boolean;
  podReplacementPolicy?: string;
  managedBy?: string;
};

/** The last observed status of a Job. */
export type JobStatus = {
  [typed]?: 'batch.v1.JobStatus';
  conditions?: JobCondition[];
  startTime?: Time;
  completionTime?: Time;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: number;
};

/** The metadata and spec of Jobs that are made from this. */
export type JobTemplateSpec = {
  [typed]?: 'batch.v1.JobTemplateSpec';
  metadata: ObjectMeta;
  spec: JobSpec;
};

/** Rules for failures of pods. */
export type PodFailurePolicy = {
  [typed]?: 'batch.v1.PodFailurePolicy';
  rules: PodFailurePolicyRule[] | null;
};

/** Selects failures by exit code; code 0 is never looked at. */
export type PodFailurePolicyOnExitCodesRequirement = {
  [typed]?: 'batch.v1.PodFailurePolicyOnExitCodesRequirement';
  containerName?: string;
  operator: string;
  values: number[] | null;
};

/** Selects failures by a condition of the pod. */
export type PodFailurePolicyOnPodConditionsPattern = {
  [typed]?: 'batch.v1.PodFailurePolicyOnPodConditionsPattern';
  type: string;
  status: string;
};

/** A rule for one kind of failure: by exit codes or by conditions of the pod. */
export type PodFailurePolicyRule = {
  [typed]?: 'batch.v1.PodFailurePolicyRule';
  action: string;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
};

/** When an Indexed Job has succeeded early; the pods that still run are ended. */
export type SuccessPolicy = {
  [typed]?: 'batch.v1.SuccessPolicy';
  rules: SuccessPolicyRule[] | null;
};

/** The indexes, or their number, that must have succeeded; both together: how many of which. */
export type SuccessPolicyRule = {
  [typed]?: 'batch.v1.SuccessPolicyRule';
  succeededIndexes?: string;
  succeededCount?: number;
};

/** Pods that have ended and are not counted yet. */
export type UncountedTerminatedPods = {
  [typed]?: 'batch.v1.UncountedTerminatedPods';
  succeeded?: string[];
  failed?: string[];
};
