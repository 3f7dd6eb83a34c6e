/** The first packet of a connection: source address, destination address, destination port and protocol. */
export type Probe = readonly [from: string, to: string, port: number, protocol: 'TCP' | 'UDP' | 'SCTP'];

/** The bytes that a prober adds to an SCTP port. */
export const SCTP_OFFSET = 20_000;
