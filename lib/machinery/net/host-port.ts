/** A host as written in a URL: an IPv6 address is in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Go's net.JoinHostPort: `10.0.0.1:80`, `[::1]:80`. */
export const joinHostPort = (host: string, port: number | bigint | string): string => `${bracketed(host)}:${port}`;
