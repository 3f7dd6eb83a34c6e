/** An address family, with the API's name. */
export type IPFamily = 'IPv4' | 'IPv6';

/** The protocols that a Service forwards. */
export const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;

/** A protocol that a Service forwards. */
export type Protocol = (typeof PROTOCOLS)[number];

/** The protocol of a port, TCP by default. Undefined for a protocol that Services do not support. */
export const protocolOf = (name = 'TCP'): Protocol | undefined => PROTOCOLS.find((protocol) => protocol === name);

/** The name of a Service: `namespace/name`. */
export type ServiceName = `${string}/${string}`;

/** The identity of a Service port, to which its endpoints refer (upstream: ServicePortName). */
export interface ServicePortName {
  readonly service: ServiceName;
  /** '' for the only port of a Service if it has no name. */
  readonly port: string;
  readonly protocol: Protocol;
}

/** A Service port name as one text, usable as a key. */
export const portKey = ({ service, port, protocol }: ServicePortName): string => `${service}:${port}:${protocol}`;
