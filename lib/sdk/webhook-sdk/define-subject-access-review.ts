import * as z from 'zod';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import { anObject, optional, readEnvelope, texts, toJsonObject } from './envelope.ts';
import type { DefinedWebhook, WebhookContext } from './webhook.ts';

const review = z.object({
  apiVersion: z.literal('authorization.k8s.io/v1'),
  kind: z.literal('SubjectAccessReview'),
  spec: z.object({
    resourceAttributes: optional(
      z.object({
        namespace: optional(z.string()),
        verb: optional(z.string()),
        group: optional(z.string()),
        version: optional(z.string()),
        resource: optional(z.string()),
        subresource: optional(z.string()),
        name: optional(z.string()),
        fieldSelector: optional(anObject),
        labelSelector: optional(anObject),
      }),
    ),
    nonResourceAttributes: optional(z.object({ path: optional(z.string()), verb: optional(z.string()) })),
    user: optional(z.string()),
    groups: optional(texts),
    uid: optional(z.string()),
    extra: optional(z.record(z.string(), texts)),
  }),
});

/** With `denied`, no other authorizer is called. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
}

type Judge = (
  spec: z.output<typeof review>['spec'],
  context: WebhookContext,
) => Promise<AccessDecision | undefined> | AccessDecision | undefined;

/** A webhook that authorizes users. Undefined means no opinion. Throws TypeError if its declaration is invalid. */
export function defineSubjectAccessReview(
  definition: DeclarationOf<'SubjectAccessReview'>,
  judge: Judge,
): DefinedWebhook {
  return {
    declaration: parseWebhookDeclaration({ type: 'SubjectAccessReview', ...definition }),
    async respond(body, context) {
      const { spec, apiVersion, kind } = readEnvelope(review, body);
      const decision = (await judge(spec, context)) ?? { allowed: false };
      return { apiVersion, kind, status: toJsonObject(decision) };
    },
  };
}
