import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { durationText } from '#lib/machinery/duration.ts';
import { quote } from '#lib/machinery/go.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { failed, type ProbeOutcome, succeeded } from '#lib/node/kubelet/prober/outcome.ts';
import type { GrpcProber } from '#lib/node/kubelet/prober/ports.ts';
import { MINOR_VERSION } from '#lib/node/kubelet/prober/user-agent.ts';

const CHECK = '/grpc.health.v1.Health/Check';
/** The names of grpc.health.v1.HealthCheckResponse.ServingStatus, by number. */
const SERVING = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];

/** Calls grpc.health.v1.Health without TLS over a separate connection. */
export const grpcProber: GrpcProber = {
  async check(host, port, service, timeout) {
    const address = joinHostPort(host, port);
    const limit = durationText(BigInt(timeout) * 1_000_000n);
    const deadline = Date.now() + timeout;
    const client = new Client(address, credentials.createInsecure(), {
      'grpc.primary_user_agent': `kube-probe/${MINOR_VERSION}`,
      'grpc.enable_http_proxy': 0,
      'grpc.initial_reconnect_backoff_ms': 1000,
      'grpc.max_receive_message_length': 4096,
    });
    try {
      if (!(await isReady(client, deadline)))
        return failed(
          `timeout: failed to connect service ${quote(address)} within ${limit}: context deadline exceeded`,
        );
      return await called(client, service, deadline, limit);
    } finally {
      client.close();
    }
  },
};

const isReady = (client: Client, deadline: number): Promise<boolean> =>
  new Promise((resolve) => client.waitForReady(deadline, (error) => resolve(error === undefined)));

const called = (client: Client, service: string, deadline: number, limit: string): Promise<ProbeOutcome> =>
  new Promise((resolve) => {
    client.makeUnaryRequest(CHECK, encodeRequest, decodeStatus, service, { deadline }, (error, value) =>
      resolve(error === null ? outcomeOf(value ?? 0) : faultOf(error, limit)),
    );
  });

function outcomeOf(value: number): ProbeOutcome {
  const name = SERVING[value] ?? String(value);
  return name === 'SERVING'
    ? succeeded('service healthy')
    : failed(`service unhealthy (responded with ${quote(name)})`);
}

function faultOf(error: ServiceError, limit: string): ProbeOutcome {
  if (error.code === status.UNIMPLEMENTED) {
    const what = 'this server does not implement the grpc health protocol (grpc.health.v1.Health)';
    return failed(`error: ${what}: ${error.details}`);
  }
  if (error.code === status.DEADLINE_EXCEEDED) return failed(`timeout: health rpc did not complete within ${limit}`);
  return failed(`error: health rpc probe failed: rpc error: code = ${goName(error.code)} desc = ${error.details}`);
}

/** Go's name for a code, such as `NotFound` for NOT_FOUND. */
const goName = (code: status): string =>
  code === status.CANCELLED
    ? 'Canceled'
    : status[code].toLowerCase().replace(/(^|_)([a-z])/g, (_match, _start, letter: string) => letter.toUpperCase());

/** Encodes HealthCheckRequest: `string service = 1`. The length of a service's name takes one or two bytes. */
function encodeRequest(service: string): Buffer {
  const name = Buffer.from(service);
  if (name.length === 0) return name;
  const length = name.length < 128 ? [name.length] : [(name.length & 127) | 128, name.length >> 7];
  return Buffer.concat([Buffer.from([0x0a, ...length]), name]);
}

/** Decodes HealthCheckResponse: `ServingStatus status = 1`. The last value counts, and other fields are ignored. */
function decodeStatus(message: Buffer): number {
  let found = 0;
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < message.length; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new Error('unexpected EOF');
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) {
      const value = varint();
      if (tag === 8) found = value;
    } else if (wire === 2) at += varint();
    else if (wire === 5) at += 4;
    else if (wire === 1) at += 8;
    else throw new Error('proto: cannot parse invalid wire-format data');
  }
  return found;
}
