// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { Toleration } from './core.v1.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Quantity } from './scalars.ts';

/** The resources that a pod needs beside its containers. */
export type Overhead = {
  [typed]?: 'node.v1.Overhead';
  podFixed?: Record<string, Quantity>;
};

/** A way to run pods, by a handler of the nodes' container runtime. */
export type RuntimeClass = {
  [typed]?: 'node.v1.RuntimeClass';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  handler: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
};

/** A list of objects of kind RuntimeClass. */
export type RuntimeClassList = {
  [typed]?: 'node.v1.RuntimeClassList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: RuntimeClass[] | null;
};

/** The nodes that can run pods of a class. */
export type Scheduling = {
  [typed]?: 'node.v1.Scheduling';
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
};
