import type { Clock } from '#lib/machinery/clock.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { InvocationSink } from '#lib/sdk/invocation/invocation.ts';
import { recordedWebhooks } from '#lib/sdk/invocation/webhooks.ts';
import { annotatedFunctions } from '#lib/server/webhook/annotated-functions.ts';
import { type WebhookClient, webhookClient } from '#lib/server/webhook/client.ts';
import {
  type FunctionInvoker,
  knownFunctions,
  NO_FUNCTIONS,
  type WebhookFunctions,
} from '#lib/server/webhook/functions.ts';
import type { ServiceResolver } from '#lib/server/webhook/service-resolver.ts';
import type { WebhookTransport } from '#lib/server/webhook/transport.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { StorageOf } from '#lib/storage/storage.ts';

/** How to reach webhooks. */
export interface WebhookConnections {
  readonly transport: WebhookTransport;
  /** Functions that replace Services. Default: the functions that annotations of Services name. */
  readonly functions?: WebhookFunctions;
  /** Invokes functions by name. Without it, annotations have no effect. */
  readonly invoker?: FunctionInvoker;
  /** Functions to invoke for Services (`namespace/name`) that need not be stored. */
  readonly known?: ReadonlyMap<string, string>;
}

interface Ports {
  readonly clock: Clock;
  readonly storageOf: StorageOf;
  readonly services: ServiceResolver;
  /** Called for each invocation. Default: none. */
  readonly invocations: InvocationSink | undefined;
}

/** The client that calls webhooks over these connections. */
export function clientOf(connections: WebhookConnections, ports: Ports): WebhookClient {
  const { transport, invoker, known = new Map() } = connections;
  const { clock, storageOf, services, invocations: sink } = ports;
  const stored = { cluster: DEFAULT_CLUSTER, storageOf };
  const called = invoker && knownFunctions(known, invoker, annotatedFunctions(stored, invoker));
  const functions = connections.functions ?? called ?? NO_FUNCTIONS;
  const client = webhookClient({ transport, services, functions, clock });
  return sink === undefined ? client : recordedWebhooks({ client, clock, sink, nonce: newUid });
}
