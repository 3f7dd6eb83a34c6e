import * as z from 'zod';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { clone, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import { anObject, readEnvelope, toJsonObject } from './envelope.ts';
import type { DefinedWebhook, WebhookContext } from './webhook.ts';

const review = z.object({
  apiVersion: z.literal('apiextensions.k8s.io/v1'),
  kind: z.literal('ConversionReview'),
  request: z.object({ uid: z.string().min(1), desiredAPIVersion: z.string().min(1), objects: z.array(anObject) }),
});

/** Gives the object in the version `desired`; its metadata stays as it is, but for labels and annotations. */
type Convert = (
  object: KubernetesObject & JsonObject,
  desired: string,
  context: WebhookContext,
) => Promise<KubernetesObject> | KubernetesObject;

/** A webhook between the versions of a CustomResourceDefinition. Throws TypeError where it is declared wrongly. */
export function defineConversion(definition: DeclarationOf<'Conversion'>, convert: Convert): DefinedWebhook {
  return {
    declaration: parseWebhookDeclaration({ type: 'Conversion', ...definition }),
    async respond(body, context) {
      const { request } = readEnvelope(review, body);
      const { uid, desiredAPIVersion: desired } = request;
      const converted = Promise.all(request.objects.map((object) => one(convert, object, desired, context)));
      const verdict = await converted.then(
        (objects: Json[]): JsonObject => ({ convertedObjects: objects, result: { status: 'Success' } }),
        failed,
      );
      return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: { uid, ...verdict } };
    },
  };
}

async function one(
  convert: Convert,
  object: JsonObject,
  desired: string,
  context: WebhookContext,
): Promise<JsonObject> {
  const converted = await convert(clone(object) as JsonObject & KubernetesObject, desired, context);
  return { ...toJsonObject(converted), apiVersion: desired };
}

function failed(error: unknown): JsonObject {
  if (!(error instanceof StatusError)) throw error;
  return { convertedObjects: [], result: { status: 'Failure', message: error.message } };
}
