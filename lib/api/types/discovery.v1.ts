// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ObjectReference } from './core.v1.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';

/** One endpoint, a pod as a rule. */
export type Endpoint = {
  [typed]?: 'discovery.v1.Endpoint';
  addresses: string[] | null;
  conditions: EndpointConditions;
  hostname?: string;
  targetRef?: ObjectReference;
  deprecatedTopology?: Record<string, string>;
  nodeName?: string;
  zone?: string;
  hints?: EndpointHints;
};

/** Whether an endpoint can take traffic. */
export type EndpointConditions = {
  [typed]?: 'discovery.v1.EndpointConditions';
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
};

/** The clients that should prefer an endpoint. */
export type EndpointHints = {
  [typed]?: 'discovery.v1.EndpointHints';
  forZones?: ForZone[];
  forNodes?: ForNode[];
};

/** One port of the endpoints. */
export type EndpointPort = {
  [typed]?: 'discovery.v1.EndpointPort';
  name?: string;
  protocol?: string;
  port?: number;
  appProtocol?: string;
};

/** Some of the addresses behind a Service. The label kubernetes.io/service-name says which; several slices add up. */
export type EndpointSlice = {
  [typed]?: 'discovery.v1.EndpointSlice';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  addressType: string;
  endpoints: Endpoint[] | null;
  ports: EndpointPort[] | null;
};

/** A list of objects of kind EndpointSlice. */
export type EndpointSliceList = {
  [typed]?: 'discovery.v1.EndpointSliceList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: EndpointSlice[] | null;
};

/** A node. */
export type ForNode = {
  [typed]?: 'discovery.v1.ForNode';
  name: string;
};

/** A zone. */
export type ForZone = {
  [typed]?: 'discovery.v1.ForZone';
  name: string;
};
