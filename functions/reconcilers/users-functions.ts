import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Client } from '#lib/client/client.ts';
import { parseDeclarations, policyRule } from '#lib/client/controller/declaration.ts';
import { functionAccounts } from '#lib/client/controller/function-accounts.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import { parseAggregatedApiDeclaration } from '#lib/sdk/extension-apiserver/declaration.ts';
import { aggregatedApiRegistration } from '#lib/sdk/extension-apiserver/registration.ts';
import { METRICS_VERSION } from '#lib/sdk/metrics-server/objects.ts';
import { metricsReaderRole } from '#lib/sdk/metrics-server/reader-role.ts';
import { parseWebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { webhookRegistration } from '#lib/sdk/webhook-sdk/registration.ts';

const invoked = z.strictObject({ function: z.string().min(1), declaration: z.unknown() });

/** The declared functions. For a webhook or an aggregated API, the entry also names the function to invoke. */
const entries = z.strictObject({
  reconcilers: z.array(z.unknown()),
  webhooks: z.array(invoked),
  apis: z.array(invoked),
  /** Functions that are not reconcilers and have their own service accounts. */
  accounts: z.array(z.strictObject({ name: z.string().min(1), rules: z.array(policyRule) })).default([]),
});

/**
 * Reconciles the objects that register users' webhooks and aggregated APIs, the service accounts of their reconcilers, and the role of
 * clients that read metrics. The file exists only in deployments with such functions. Throws TypeError if it is invalid.
 */
export function usersFunctions(file: string, client: Client): readonly Reconciler[] {
  const read = existsSync(file) ? entries.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : NOTHING;
  if (read.data === undefined) throw new TypeError(`${file}: reconcilers, webhooks and apis are expected`);
  const reconcilers = parseDeclarations(read.data.reconcilers);
  const webhooks = read.data.webhooks.map(({ declaration }) => parseWebhookDeclaration(declaration));
  const apis = read.data.apis.map(({ function: functionName, declaration }) => ({
    functionName,
    declaration: parseAggregatedApiDeclaration(declaration),
  }));
  const names = new Map(read.data.webhooks.map((one, i) => [webhooks[i]?.name, one.function]));
  return [
    webhookRegistration({
      client,
      declarations: () => webhooks,
      functionName: ({ name }) => names.get(name) ?? name,
    }),
    aggregatedApiRegistration(client, {
      declarations: () => apis.map(({ declaration }) => declaration),
      functionName: ({ name }) => apis.find(({ declaration }) => declaration.name === name)?.functionName,
    }),
    functionAccounts({ client, declarations: () => reconcilers, others: read.data.accounts }),
    ...(apis.some(({ declaration }) => isMetrics(declaration)) ? [metricsReaderRole(client)] : []),
  ];
}

const isMetrics = ({ group, version }: GroupVersion): boolean =>
  group === METRICS_VERSION.group && version === METRICS_VERSION.version;

const NOTHING = { data: { reconcilers: [], webhooks: [], apis: [], accounts: [] } };
