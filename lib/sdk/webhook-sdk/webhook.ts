import type { Logger } from '#lib/client/controller/logger.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import type { WebhookDeclaration } from './declaration.ts';

/** The context of every webhook's call. */
export interface WebhookContext {
  readonly log: Logger;
  /** Aborts when no caller waits for the response any more. */
  readonly signal: AbortSignal;
}

/** A webhook as a function: the requests that it handles and its handler. */
export interface DefinedWebhook {
  readonly declaration: WebhookDeclaration;
  /** Returns the review with its response. Throws BadRequest if the review has the wrong type, and rethrows errors of the handler. */
  respond(review: JsonObject, context: WebhookContext): Promise<JsonObject>;
}

/** Calls a webhook with the bytes of an invocation. Both input and output are JSON. */
export async function answerWebhook(
  webhook: DefinedWebhook,
  body: Uint8Array,
  context: WebhookContext,
): Promise<Uint8Array> {
  const { value } = decodeJson(body);
  if (!isObject(value)) throw badRequest('the review is no object');
  return Buffer.from(encodeJson(await webhook.respond(value, context)));
}
