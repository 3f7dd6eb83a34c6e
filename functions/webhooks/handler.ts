import type { Context } from 'aws-lambda';
import type { Logger } from '#lib/client/controller/logger.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { DefinedWebhook } from '#lib/sdk/webhook-sdk/webhook.ts';

/** Handles an invocation whose event is a review. Returns the same review with its response. Throws the webhook's error. */
export function webhookHandler(webhook: DefinedWebhook, log: Logger) {
  return async (review: Json, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<JsonObject> => {
    if (!isObject(review)) throw badRequest('the review is no object');
    return webhook.respond(review, { log, signal: AbortSignal.timeout(context.getRemainingTimeInMillis()) });
  };
}
