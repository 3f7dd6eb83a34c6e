// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { Condition, DeleteOptions, LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Int64, IntOrString, Time } from './scalars.ts';

/** Asks that a pod be deleted, which PodDisruptionBudgets can refuse for the moment (429). */
export type Eviction = {
  [typed]?: 'policy.v1.Eviction';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  deleteOptions?: DeleteOptions;
};

/** Limits how many pods may be down at a time because somebody wants it so. */
export type PodDisruptionBudget = {
  [typed]?: 'policy.v1.PodDisruptionBudget';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: PodDisruptionBudgetSpec;
  status: PodDisruptionBudgetStatus;
};

/** A list of objects of kind PodDisruptionBudget. */
export type PodDisruptionBudgetList = {
  [typed]?: 'policy.v1.PodDisruptionBudgetList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: PodDisruptionBudget[] | null;
};

/** The pods of a budget, and how many may be down: minAvailable or maxUnavailable. */
export type PodDisruptionBudgetSpec = {
  [typed]?: 'policy.v1.PodDisruptionBudgetSpec';
  minAvailable?: IntOrString;
  selector?: LabelSelector;
  maxUnavailable?: IntOrString;
  unhealthyPodEvictionPolicy?: string;
};

/** The last observed status of a PodDisruptionBudget. */
export type PodDisruptionBudgetStatus = {
  [typed]?: 'policy.v1.PodDisruptionBudgetStatus';
  observedGeneration?: Int64;
  disruptedPods?: Record<string, Time | null>;
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  expectedPods: number;
  conditions?: Condition[];
};
