import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { endpointOf } from '#lib/server/webhook/endpoint.ts';
import type { TransportRequest, WebhookTransport } from '#lib/server/webhook/transport.ts';
import { type AuditEvent, encodeEventList } from './event.ts';
import type { AuditSink, ReportLoss } from './sink.ts';

/** The configuration of an audit webhook. */
export interface AuditWebhook {
  readonly config: ClientConfig;
  /** The pause in ms before the second attempt. Each later pause is half as long again. */
  readonly initialBackoff: number;
}

/** The ports of an audit webhook. */
export interface AuditWebhookPorts {
  readonly transport: WebhookTransport;
  readonly clock: Clock;
  readonly reportLoss: ReportLoss;
  /** Aborts when the server shuts down. Then no further attempt is made. */
  readonly signal: AbortSignal;
}

const ATTEMPTS = 5;
const FACTOR = 1.5;
const TIMEOUT_SECONDS = 30;
/** The maximum size of a response in bytes. Only its status is used. */
const MAX_ANSWER = 1024 * 1024;

/** Posts an `EventList`, at most five times, whatever the error: upstream's webhook backend. */
export function webhookSink(webhook: AuditWebhook, ports: AuditWebhookPorts): AuditSink {
  return {
    async process(events) {
      const fault = await posted(webhook, ports, events);
      if (fault !== undefined) ports.reportLoss('webhook', fault, events);
      return fault === undefined;
    },
    flush: async () => {},
    close: async () => {},
  };
}

/** Resolves with the reason why the events did not arrive. Undefined if they did. */
async function posted(
  webhook: AuditWebhook,
  { transport, clock, signal }: AuditWebhookPorts,
  events: readonly AuditEvent[],
): Promise<Error | undefined> {
  const body = Buffer.from(encodeEventList(events));
  const backoff = { duration: webhook.initialBackoff, factor: FACTOR };
  for (let attempt = 1; ; attempt++) {
    const fault = await attempted(transport, webhook.config, body);
    if (fault === undefined || attempt === ATTEMPTS || signal.aborted) return fault;
    await clock.sleep(delayAfter(attempt, backoff), signal);
  }
}

async function attempted(
  transport: WebhookTransport,
  config: ClientConfig,
  body: Uint8Array,
): Promise<Error | undefined> {
  try {
    const { status } = await transport.post(await requestOf(config, body));
    return status >= 200 && status <= 206
      ? undefined
      : new Error(`the server responded with the status code ${status}`);
  } catch (error) {
    // An error of the transport or of the token file. It is reported to the operator, and the request continues.
    if (error instanceof Error) return error;
    throw error;
  }
}

async function requestOf(
  { caBundle, credentials, ...config }: ClientConfig,
  body: Uint8Array,
): Promise<TransportRequest> {
  const { host, port, authority, path } = endpointOf({ ...config, caBundle }, TIMEOUT_SECONDS);
  const token = await credentials?.token?.();
  return {
    connect: { host, port },
    serverName: host,
    authority,
    path,
    caBundle,
    ...(credentials?.certificate === undefined ? {} : { client: credentials.certificate }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, */*',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
    timeout: TIMEOUT_SECONDS * 1000,
    maxBytes: MAX_ANSWER,
  };
}
