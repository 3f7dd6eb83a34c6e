import * as z from 'zod';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import { optional, readEnvelope, texts, toJsonObject } from './envelope.ts';
import type { DefinedWebhook, WebhookContext } from './webhook.ts';

const review = z.object({
  apiVersion: z.literal('authentication.k8s.io/v1'),
  kind: z.literal('TokenReview'),
  spec: z.object({ token: z.string(), audiences: optional(texts) }),
});

/** The user that a token authenticates. */
export interface KnownUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** The requested audiences for which the token is valid. Defaults to all of them. */
  readonly audiences?: readonly string[];
}

type Know = (
  spec: z.output<typeof review>['spec'],
  context: WebhookContext,
) => Promise<KnownUser | undefined> | KnownUser | undefined;

/**
 * A webhook that authenticates users by their tokens. It returns undefined for an unknown token. Throws TypeError if its declaration is
 * invalid.
 */
export function defineTokenReview(definition: DeclarationOf<'TokenReview'>, know: Know): DefinedWebhook {
  return {
    declaration: parseWebhookDeclaration({ type: 'TokenReview', ...definition }),
    async respond(body, context) {
      const { spec, apiVersion, kind } = readEnvelope(review, body);
      const known = await know(spec, context);
      if (known === undefined) return { apiVersion, kind, status: { authenticated: false } };
      const { audiences = spec.audiences, ...user } = known;
      return { apiVersion, kind, status: toJsonObject({ authenticated: true, user, audiences }) };
    },
  };
}
