// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Base64, Time } from './scalars.ts';

/** Lets another server serve a group and version of the API. Its name is VERSION.GROUP. */
export type APIService = {
  [typed]?: 'apiregistration.v1.APIService';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: APIServiceSpec;
  status: APIServiceStatus;
};

/** One aspect of an APIService's state, as last observed. */
export type APIServiceCondition = {
  [typed]?: 'apiregistration.v1.APIServiceCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind APIService. */
export type APIServiceList = {
  [typed]?: 'apiregistration.v1.APIServiceList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: APIService[] | null;
};

/** A group and version, and the server of its requests. */
export type APIServiceSpec = {
  [typed]?: 'apiregistration.v1.APIServiceSpec';
  service?: ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: Base64;
  groupPriorityMinimum: number;
  versionPriority: number;
};

/** The last observed status of an APIService. */
export type APIServiceStatus = {
  [typed]?: 'apiregistration.v1.APIServiceStatus';
  conditions?: APIServiceCondition[];
};

/** A Service and its port. */
export type ServiceReference = {
  [typed]?: 'apiregistration.v1.ServiceReference';
  namespace?: string;
  name?: string;
  port?: number;
};
