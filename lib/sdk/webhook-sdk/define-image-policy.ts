import * as z from 'zod';
import { StatusError } from '#lib/machinery/errors.ts';
import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import { optional, readEnvelope } from './envelope.ts';
import type { DefinedWebhook, WebhookContext } from './webhook.ts';

const review = z.object({
  apiVersion: z.literal('imagepolicy.k8s.io/v1alpha1'),
  kind: z.literal('ImageReview'),
  spec: z.object({
    containers: optional(z.array(z.object({ image: optional(z.string()) }))),
    annotations: optional(z.record(z.string(), z.string())),
    namespace: optional(z.string()),
  }),
});

/** The context of a webhook that reviews images. */
export interface ImagePolicyContext extends WebhookContext {
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
}

/** Reviews the images of one pod. Throws `denied(…)` to reject it. */
type JudgeImages = (spec: z.output<typeof review>['spec'], context: ImagePolicyContext) => Promise<void> | void;

/** A webhook that decides which images may run. Throws TypeError if its declaration is invalid. */
export function defineImagePolicy(definition: DeclarationOf<'ImagePolicy'>, judge: JudgeImages): DefinedWebhook {
  return {
    declaration: parseWebhookDeclaration({ type: 'ImagePolicy', ...definition }),
    async respond(body, context) {
      const { spec, apiVersion, kind } = readEnvelope(review, body);
      const auditAnnotations: JsonObject = {};
      const annotate = (key: string, value: string): void => setField(auditAnnotations, key, value);
      const status = await verdictOf(judge, spec, { ...context, annotate });
      return { apiVersion, kind, status: { ...status, auditAnnotations } };
    },
  };
}

async function verdictOf(judge: JudgeImages, ...asked: Parameters<JudgeImages>): Promise<JsonObject> {
  try {
    await judge(...asked);
    return { allowed: true };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { allowed: false, reason: error.message };
  }
}
