// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';
import type { MicroTime } from './scalars.ts';

/** Says who holds something for the time being: a leader's role, or that a node lives. */
export type Lease = {
  [typed]?: 'coordination.v1.Lease';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: LeaseSpec;
};

/** A list of objects of kind Lease. */
export type LeaseList = {
  [typed]?: 'coordination.v1.LeaseList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Lease[] | null;
};

/** The holder of the lease, and since when. */
export type LeaseSpec = {
  [typed]?: 'coordination.v1.LeaseSpec';
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: MicroTime;
  renewTime?: MicroTime;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
};
