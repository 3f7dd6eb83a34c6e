/** A pod that is reached through the channel of its node. */
export interface PodOnNode {
  readonly node: string;
  readonly podUid: string;
}

/** The address of a Service's port. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** Present if the host is a pod whose node has a channel. The connection then uses the channel. */
  readonly via?: PodOnNode;
}

/** Finds an address of a Service. */
export interface ServiceResolver {
  /** Throws StatusError with upstream's text if the Service, its port or its endpoints are missing. */
  resolve(service: { readonly namespace: string; readonly name: string; readonly port: number }): Promise<Address>;
}

/** Resolves a Service to its DNS name in the cluster, for processes that can resolve it. */
export const serviceDns: ServiceResolver = {
  resolve: async ({ namespace, name, port }) => ({ host: `${name}.${namespace}.svc`, port }),
};
