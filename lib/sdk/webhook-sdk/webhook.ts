import type { Logger } from '#lib/client/controller/logger.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import type { WebhookDeclaration } from './declaration.ts';

/** The context of every webhook's call. */
export interface WebhookContext {
  readonly log: Logger;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A webhook as a function: when it is asked, and what it answers. */
export interface DefinedWebhook {
  readonly declaration: WebhookDeclaration;
  /** The review with its answer. Throws BadRequest for what is none of its reviews, and what the handler throws. */
  respond(review: JsonObject, context: WebhookContext): Promise<JsonObject>;
}

/** A webhook over bytes: JSON in, JSON out, as invocations carry it. */
export async function answerWebhook(
  webhook: DefinedWebhook,
  body: Uint8Array,
  context: WebhookContext,
): Promise<Uint8Array> {
  const { value } = decodeJson(body);
  if (!isObject(value)) throw badRequest('the review is no object');
  return Buffer.from(encodeJson(await webhook.respond(value, context)));
}
