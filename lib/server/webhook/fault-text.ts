import { quote } from '#lib/machinery/go.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import type { Address } from './service-resolver.ts';
import type { TransportRequest } from './transport.ts';

interface Fault extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  /** OpenSSL's reason, without the source location. */
  readonly reason?: string;
  /** Bytes that are not HTTP. */
  readonly rawPacket?: Uint8Array;
  readonly cert?: { readonly subjectaltname?: string; readonly valid_from?: string; readonly valid_to?: string };
}

interface Target extends Pick<TransportRequest, 'serverName'> {
  readonly connect: Pick<Address, 'host' | 'port'>;
}

const UNKNOWN_AUTHORITY = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
/** The maximum number of bytes of an invalid line that a message quotes. */
const MAX_LINE = 256;
const NO_TLS = 'tls: first record does not look like a TLS handshake';
const EXPIRED = 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';

/** Go's texts for Node's errors, by code. */
const TEXTS: Readonly<Record<string, (fault: Fault, target: Target) => string>> = {
  ECONNREFUSED: (fault, target) => `dial tcp ${dialled(fault, target)}: connect: connection refused`,
  EHOSTUNREACH: (fault, target) => `dial tcp ${dialled(fault, target)}: connect: no route to host`,
  ENETUNREACH: (fault, target) => `dial tcp ${dialled(fault, target)}: connect: network is unreachable`,
  ENOTFOUND: (_, { connect }) => `dial tcp: lookup ${connect.host}: no such host`,
  EAI_AGAIN: (_, { connect }) => `dial tcp: lookup ${connect.host}: server misbehaving`,
  ETIMEDOUT: (fault, target) => `dial tcp ${dialled(fault, target)}: i/o timeout`,
  ECONNRESET: () => 'EOF',
  EPIPE: () => 'write: broken pipe',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: () => UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: () => UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: () => UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: () => UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: () => EXPIRED,
  CERT_NOT_YET_VALID: () => EXPIRED,
  ERR_TLS_CERT_ALTNAME_INVALID: otherName,
  HPE_INVALID_CONSTANT: malformed,
  EPROTO: () => NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: () => NO_TLS,
};

/** Returns the message of Go's client for a failed request. */
export function faultText(error: unknown, target: Target, timedOut: boolean): string {
  if (timedOut) return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
  const fault = innermost(error);
  const text = fault.code === undefined ? undefined : TEXTS[fault.code];
  if (text !== undefined) return text(fault, target);
  if (fault.code?.startsWith('ERR_OSSL_') === true) {
    return 'unable to load root certificates: unable to parse bytes as PEM block';
  }
  return fault.code?.startsWith('ERR_SSL_') === true && fault.reason !== undefined
    ? tlsText(fault.reason)
    : fault.message;
}

/** Returns the first line of an invalid response. */
function malformed({ rawPacket = new Uint8Array() }: Fault): string {
  const [line = ''] = Buffer.from(rawPacket.subarray(0, MAX_LINE)).toString('latin1').split(/\r?\n/);
  return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${quote(line)}`;
}

/** Returns which side ended TLS, and why. */
function tlsText(reason: string): string {
  const alert = /^(?:ssl\/tls|sslv3|tlsv1(?:\.3)?) alert (.+)$/.exec(reason)?.[1];
  return alert === undefined ? `local error: tls: ${reason}` : `remote error: tls: ${alert}`;
}

/** Returns the error of the first of several addresses. */
function innermost(error: unknown): Fault {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error instanceof Error ? error : new Error(String(error));
}

function dialled({ address, port }: Fault, { connect }: Target): string {
  const host = address ?? connect.host;
  return joinHostPort(host, port ?? connect.port);
}

/** Lists only the names in the certificate that have the same type as the expected name. */
function otherName({ cert }: Fault, { serverName }: Target): string {
  const isAddress = parseIPSloppy(serverName) !== undefined;
  const prefix = isAddress ? 'IP Address:' : 'DNS:';
  const names = (cert?.subjectaltname ?? '').split(', ').filter((name) => name.startsWith(prefix));
  const valid = names.map((name) => name.slice(prefix.length)).join(', ');
  const head = 'tls: failed to verify certificate: x509:';
  if (valid !== '') return `${head} certificate is valid for ${valid}, not ${serverName}`;
  if (isAddress) return `${head} cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`;
  return `${head} certificate is not valid for any names, but wanted to match ${serverName}`;
}
