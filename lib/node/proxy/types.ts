/** A family of addresses, as the API names it. */
export type IPFamily = 'IPv4' | 'IPv6';

/** The protocols that a Service forwards. */
export const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;

/** A protocol that a Service forwards. */
export type Protocol = (typeof PROTOCOLS)[number];

/** The protocol that a port names, TCP where it names none; undefined for one that no Service forwards. */
export const protocolOf = (name = 'TCP'): Protocol | undefined => PROTOCOLS.find((protocol) => protocol === name);

/** The name of a Service: `namespace/name`. */
export type ServiceName = `${string}/${string}`;

/** A port of a Service, as its endpoints refer to it (upstream: ServicePortName). */
export interface ServicePortName {
  readonly service: ServiceName;
  /** '' where the Service has one port without a name. */
  readonly port: string;
  readonly protocol: Protocol;
}

/** A port's name as one text, good as a key. */
export const portKey = ({ service, port, protocol }: ServicePortName): string => `${service}:${port}:${protocol}`;
