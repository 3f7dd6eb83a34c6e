// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind, ListMeta, ObjectMeta } from './meta.v1.ts';

/** A group of the API with all its versions and resources. Its name is the group's. */
export type APIGroupDiscovery = {
  [typed]?: 'apidiscovery.v2.APIGroupDiscovery';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  versions?: APIVersionDiscovery[];
};

/** A list of objects of kind APIGroupDiscovery. */
export type APIGroupDiscoveryList = {
  [typed]?: 'apidiscovery.v2.APIGroupDiscoveryList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: APIGroupDiscovery[] | null;
};

/** One resource. */
export type APIResourceDiscovery = {
  [typed]?: 'apidiscovery.v2.APIResourceDiscovery';
  resource: string;
  responseKind?: GroupVersionKind;
  scope: string;
  singularResource: string;
  verbs: string[] | null;
  shortNames?: string[];
  categories?: string[];
  subresources?: APISubresourceDiscovery[];
};

/** One subresource. */
export type APISubresourceDiscovery = {
  [typed]?: 'apidiscovery.v2.APISubresourceDiscovery';
  subresource: string;
  responseKind?: GroupVersionKind;
  acceptedTypes?: GroupVersionKind[];
  verbs: string[] | null;
};

/** A version of a group. */
export type APIVersionDiscovery = {
  [typed]?: 'apidiscovery.v2.APIVersionDiscovery';
  version: string;
  resources?: APIResourceDiscovery[];
  freshness?: string;
};
