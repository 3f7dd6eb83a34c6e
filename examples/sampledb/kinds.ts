import type { Condition, Kind, KubernetesObject } from '@davit-dev/davit/controller';

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

export const SAMPLE_DB: Kind<SampleDB> = { apiVersion: 'databases.example.com/v1', kind: 'SampleDB' };
