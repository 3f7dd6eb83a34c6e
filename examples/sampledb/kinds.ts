import type { Condition, Kind, KubernetesObject } from 'davit/controller';

/** As crd.yaml has it, with its defaults. */
export interface SampleDB extends KubernetesObject {
  readonly spec: {
    readonly version: string;
    readonly image: string;
    readonly replicas: number;
    readonly storage: string | number;
    readonly backup?: { readonly schedule: string; readonly timeZone?: string; readonly keep: number };
    readonly restoreFrom?: { readonly claim: string; readonly backup: string };
    readonly finalSnapshot: boolean;
  };
  readonly status?: Status;
}

export interface Status {
  readonly version?: string;
  /** The pod that takes writes; null where there is none, so that a patch says so. */
  readonly primary?: string | null;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly selector?: string;
  readonly lastBackup?: string;
  readonly conditions?: readonly Condition[];
}

/** An object as the operator writes it. */
export interface Manifest extends KubernetesObject {
  readonly [field: string]: unknown;
}

export interface Pod extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface Job extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface CronJob extends KubernetesObject {
  readonly status?: { readonly lastSuccessfulTime?: string };
}

export interface StatefulSet extends KubernetesObject {
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

export const SAMPLE_DB: Kind<SampleDB> = { apiVersion: 'databases.example.com/v1', kind: 'SampleDB' };
export const STATEFUL_SET: Kind<StatefulSet> = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
export const JOB: Kind<Job> = { apiVersion: 'batch/v1', kind: 'Job' };
export const CRON_JOB: Kind<CronJob> = { apiVersion: 'batch/v1', kind: 'CronJob' };
export const POD: Kind<Pod> = { apiVersion: 'v1', kind: 'Pod' };
export const CLAIM: Kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
export const SECRET: Kind = { apiVersion: 'v1', kind: 'Secret' };
export const CONFIG_MAP: Kind = { apiVersion: 'v1', kind: 'ConfigMap' };
export const SERVICE: Kind = { apiVersion: 'v1', kind: 'Service' };
export const NAMESPACE: Kind = { apiVersion: 'v1', kind: 'Namespace' };
