import type { Condition, Kind, KubernetesObject } from '@davit-dev/davit/controller';

/** The type in crd.yaml, after defaulting. */
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
  /** The pod that accepts writes. It is null if there is none, so that a patch removes the field. */
  readonly primary?: string | null;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly selector?: string;
  readonly lastBackup?: string;
  readonly conditions?: readonly Condition[];
}

export const SAMPLE_DB: Kind<SampleDB> = { apiVersion: 'databases.example.com/v1', kind: 'SampleDB' };
