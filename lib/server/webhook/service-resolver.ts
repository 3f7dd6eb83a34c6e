/** A pod that is reached by the channel of its node. */
export interface PodOnNode {
  readonly node: string;
  readonly podUid: string;
}

/** Where a port of a Service is reached. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** Present where the host is a pod whose node has a channel: the connection goes through it. */
  readonly via?: PodOnNode;
}

/** Finds an address of a Service. */
export interface ServiceResolver {
  /** Throws StatusError with upstream's text where the Service, its port or its endpoints are missing. */
  resolve(service: { readonly namespace: string; readonly name: string; readonly port: number }): Promise<Address>;
}

/** The cluster's DNS name of the Service, for whoever runs where that resolves. */
export const serviceDns: ServiceResolver = {
  resolve: async ({ namespace, name, port }) => ({ host: `${name}.${namespace}.svc`, port }),
};
