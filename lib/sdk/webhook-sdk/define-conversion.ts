import * as z from 'zod';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { clone, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import { anObject, readEnvelope, toJsonObject } from './envelope.ts';
import type { DefinedWebhook, WebhookContext } from './webhook.ts';

const review = z.object({
  apiVersion: z.literal('apiextensions.k8s.io/v1'),
  kind: z.literal('ConversionReview'),
  request: z.object({ uid: z.string().min(1), desiredAPIVersion: z.string().min(1), objects: z.array(anObject) }),
});

/** Returns the object in the version `desired`. The server preserves the original metadata, except for labels and annotations. */
type Convert = (
  object: KubernetesObject & JsonObject,
  desired: string,
  context: WebhookContext,
) => Promise<KubernetesObject> | KubernetesObject;

/**
 * Two versions of a kind and the conversions between them, like controller-runtime's ConvertTo and ConvertFrom. Both conversions receive
 * objects with defaults applied. They throw `denied(…)` for an object that the other version cannot represent.
 */
export interface VersionPair<From extends KubernetesObject, To extends KubernetesObject> {
  readonly from: Kind<From>;
  readonly to: Kind<To>;
  convertTo(object: From, context: WebhookContext): Promise<To> | To;
  convertFrom(object: To, context: WebhookContext): Promise<From> | From;
}

/**
 * A webhook that converts between the versions of a CustomResourceDefinition. For two versions, use a typed pair. For more, use a function
 * that is called with the desired version. Throws TypeError if the declaration is invalid.
 */
export function defineConversion<From extends KubernetesObject, To extends KubernetesObject>(
  definition: DeclarationOf<'Conversion'>,
  pair: VersionPair<From, To>,
): DefinedWebhook;
export function defineConversion(definition: DeclarationOf<'Conversion'>, convert: Convert): DefinedWebhook;
export function defineConversion<From extends KubernetesObject, To extends KubernetesObject>(
  definition: DeclarationOf<'Conversion'>,
  given: VersionPair<From, To> | Convert,
): DefinedWebhook {
  const convert = typeof given === 'function' ? given : between(given);
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

/** Combines the conversions of a pair. For other versions, returns an error to the client. */
function between<From extends KubernetesObject, To extends KubernetesObject>(pair: VersionPair<From, To>): Convert {
  const { from, to } = pair;
  return (object, desired, context) => {
    const versions = `${object.apiVersion} ${desired}`;
    if (versions === `${from.apiVersion} ${to.apiVersion}`) return pair.convertTo(object as JsonObject & From, context);
    if (versions === `${to.apiVersion} ${from.apiVersion}`) return pair.convertFrom(object as JsonObject & To, context);
    throw badRequest(`no conversion of ${from.kind} from ${object.apiVersion} to ${desired}`);
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
