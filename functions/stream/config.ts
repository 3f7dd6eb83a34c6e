import { join } from 'node:path';
import * as z from 'zod';
import { GATEWAY_ENVIRONMENT, type GatewaySettings, gatewaySettings } from '#adapters/aws/apigateway/environment.ts';
import { defined } from '#lib/machinery/defined.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import type { OnDemand } from '#lib/stream/event-consumer.ts';

const ON_DEMAND = ['leases', 'events'] as const satisfies readonly OnDemand[];

const items = (text: string): string[] => text.split(',').filter((item) => item !== '');

const environment = z.object({
  DAVIT_TABLE: z.string().min(1),
  DAVIT_CLUSTER_ID: z.string().min(1),
  DAVIT_BUS: z.string().min(1),
  /** A FIFO queue. */
  DAVIT_QUEUE_URL: z.url().refine((url) => url.endsWith('.fifo'), 'must be the URL of a FIFO queue'),
  /** The KMS key that encrypts Secrets. */
  DAVIT_KMS_KEY: z.string().min(1).optional(),
  /** Kinds of events to publish in addition to the default. */
  DAVIT_PUBLISH: z
    .string()
    .default('')
    .transform(items)
    .pipe(z.array(z.enum(ON_DEMAND))),
  /** The directory of the bundle. */
  LAMBDA_TASK_ROOT: z.string().default('.'),
  ...GATEWAY_ENVIRONMENT,
  /** The relay of the WebSocket API, which notifies many nodes. Default: the doorbell notifies all nodes itself. */
  DAVIT_CHANNEL_FUNCTION: z.string().min(1).optional(),
  /** The SDK's own variable for the endpoint of Lambda, if it is not the default one. */
  AWS_ENDPOINT_URL_LAMBDA: z.url().optional(),
  AWS_ENDPOINT_URL: z.url().optional(),
});

/** The configuration of the function that the table's stream triggers. */
export interface Config {
  readonly table: string;
  readonly clusterId: string;
  readonly bus: string;
  readonly queueUrl: string;
  readonly kmsKey: string | undefined;
  readonly publish: readonly OnDemand[];
  /** The file of users' reconcilers, which is optional. */
  readonly declarations: string;
  /** The WebSocket API of nodes. Undefined if nodes are not notified. */
  readonly gateway: GatewaySettings | undefined;
  /** The function that notifies many nodes, if any. */
  readonly relay: { readonly name: string; readonly endpoint?: string } | undefined;
}

/** Reads the environment. Throws TypeError with one line that names the invalid variables. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) throw new TypeError(issuesText(read.error.issues));
  const { data } = read;
  const endpoint = defined({ endpoint: data.AWS_ENDPOINT_URL_LAMBDA ?? data.AWS_ENDPOINT_URL });
  return {
    table: data.DAVIT_TABLE,
    clusterId: data.DAVIT_CLUSTER_ID,
    bus: data.DAVIT_BUS,
    queueUrl: data.DAVIT_QUEUE_URL,
    kmsKey: data.DAVIT_KMS_KEY,
    publish: data.DAVIT_PUBLISH,
    declarations: join(data.LAMBDA_TASK_ROOT, 'reconcilers.json'),
    gateway: gatewaySettings(data),
    relay: data.DAVIT_CHANNEL_FUNCTION === undefined ? undefined : { name: data.DAVIT_CHANNEL_FUNCTION, ...endpoint },
  };
}
