import type { Context } from 'aws-lambda';
import type { Logger } from '#lib/client/controller/logger.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { DefinedWebhook } from '#lib/sdk/webhook-sdk/webhook.ts';

/** Answers an invocation with a review by the same review with its response. It throws as the webhook throws. */
export function webhookHandler(webhook: DefinedWebhook, log: Logger) {
  return async (review: Json, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<JsonObject> => {
    if (!isObject(review)) throw badRequest('the review is no object');
    return webhook.respond(review, { log, signal: AbortSignal.timeout(context.getRemainingTimeInMillis()) });
  };
}
