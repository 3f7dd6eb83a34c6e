// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';

/** Gives pods that name it a priority. */
export type PriorityClass = {
  [typed]?: 'scheduling.v1.PriorityClass';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  value: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: string;
};

/** A list of objects of kind PriorityClass. */
export type PriorityClassList = {
  [typed]?: 'scheduling.v1.PriorityClassList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: PriorityClass[] | null;
};
