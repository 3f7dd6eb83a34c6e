import { unclassified } from '#lib/machinery/errors.ts';
import { arrayAt, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { parseClientConfig } from '#lib/server/webhook/client-config.ts';
import { type Converter, webhookConverter } from './webhook.ts';

/** Returns the converter of a definition with the strategy Webhook. Undefined for the strategy None. */
export function definitionConverter(crd: JsonObject, client: WebhookClient | undefined): Converter | undefined {
  const conversion = objectAt(objectAt(crd, 'spec'), 'conversion');
  if (stringAt(conversion, 'strategy') !== 'Webhook') return undefined;
  if (client === undefined) return withoutClient;
  const webhook = objectAt(conversion, 'webhook');
  const reviewVersions = arrayAt(webhook, 'conversionReviewVersions').filter((name) => typeof name === 'string');
  return webhookConverter({ client, reviewVersions, config: parseClientConfig(objectAt(webhook, 'clientConfig')) });
}

const withoutClient: Converter = async (objects, apiVersion) => {
  const other = objects.find((object) => object['apiVersion'] !== apiVersion);
  if (other === undefined) return [...objects];
  throw unclassified('conversion webhooks are not called by this server');
};
