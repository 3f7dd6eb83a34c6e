import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { decoded, readAnswer, WebhookError } from './answer.ts';
import { CircuitBreaker } from './circuit.ts';
import type { ClientConfig } from './client-config.ts';
import { type Endpoint, endpointOf, serviceName } from './endpoint.ts';
import type { WebhookFunction, WebhookFunctions } from './functions.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { TransportError, type TransportRequest, type WebhookTransport } from './transport.ts';

/** One call of a webhook. */
export interface WebhookCall {
  readonly config: ClientConfig;
  readonly body: JsonObject;
  /** Whole seconds, which the webhook receives in the query. Default 30. */
  readonly timeoutSeconds?: number;
}

/** Calls webhooks. */
export interface WebhookClient {
  /** Returns the object in the webhook's response. Throws WebhookError. */
  call(request: WebhookCall): Promise<JsonObject>;
}

/** The ports of a webhook client. */
export interface WebhookPorts {
  readonly transport: WebhookTransport;
  readonly services: ServiceResolver;
  readonly functions: WebhookFunctions;
  readonly clock: Clock;
  /** The maximum size of a response in bytes. Default 16 MiB. */
  readonly maxResponseBytes?: number;
}

const DEFAULT_SECONDS = 30;
const MAX_RESPONSE = 16 * 1024 * 1024;

/** Calls webhooks by URL, via a Service, or via the function that replaces a Service. */
export function webhookClient(ports: WebhookPorts): WebhookClient {
  const circuit = new CircuitBreaker(ports.clock);
  return {
    async call({ config, body, timeoutSeconds: seconds = DEFAULT_SECONDS }) {
      const { named, send } = await route(config, seconds, ports);
      const { credentials: _, ...place } = config;
      const endpoint = JSON.stringify(place);
      const refusal = circuit.refusal(endpoint);
      if (refusal !== undefined) throw new WebhookError('paused', `${named}: ${refusal}`);
      try {
        const answer = await send(Buffer.from(encodeJson(body)));
        circuit.succeeded(endpoint);
        return answer;
      } catch (error) {
        if (error instanceof WebhookError) circuit.succeeded(endpoint);
        if (!(error instanceof TransportError) && !(error instanceof StatusError)) throw error;
        circuit.failed(endpoint, error.message);
        const isReset = error instanceof TransportError && error.isReset;
        throw new WebhookError('unreachable', `${named}: ${error.message}`, { cause: error, isReset });
      }
    },
  };
}

interface Route {
  /** The prefix of errors. */
  readonly named: string;
  send(body: Uint8Array): Promise<JsonObject>;
}

async function route(config: ClientConfig, seconds: number, ports: WebhookPorts): Promise<Route> {
  const { service } = config;
  const fn = service && (await ports.functions.find(service));
  if (service !== undefined && fn !== undefined) {
    const named = `Invoke ${quote(`${service.namespace}/${service.name}`)}`;
    return { named, send: async (body) => decoded(await invoked(fn, body, seconds)) };
  }
  const endpoint = endpointOf(config, seconds);
  return {
    named: `Post ${quote(endpoint.url)}`,
    send: async (body) => {
      const request = await posted({ config, body, seconds }, endpoint, ports);
      return readAnswer(await ports.transport.post(request));
    },
  };
}

interface Encoded {
  readonly config: ClientConfig;
  readonly body: Uint8Array;
  readonly seconds: number;
}

/** Invokes a function. Its error counts as a missing response. */
async function invoked(fn: WebhookFunction, body: Uint8Array, seconds: number): Promise<Uint8Array> {
  try {
    return await fn.invoke(body, { timeout: seconds * 1000 });
  } catch (error) {
    throw new TransportError(messageOfError(error), { cause: error });
  }
}

async function posted(
  { config, body, seconds }: Encoded,
  { authority, host, port, path }: Endpoint,
  { services, maxResponseBytes = MAX_RESPONSE }: WebhookPorts,
): Promise<TransportRequest> {
  const { service, caBundle, credentials } = config;
  const token = await credentials?.token?.().catch(unreadable);
  return {
    connect: service === undefined ? { host, port } : await services.resolve(service),
    serverName: service === undefined ? host : serviceName(service),
    authority,
    path,
    caBundle,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(credentials?.certificate === undefined ? {} : { client: credentials.certificate }),
    body,
    timeout: seconds * 1000,
    maxBytes: maxResponseBytes,
  };
}

function unreadable(error: unknown): never {
  throw new TransportError(messageOfError(error), { cause: error });
}
