import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { type AdmissionContext, admit } from './admission.ts';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import type { DefinedWebhook } from './webhook.ts';

/** Validates the object. For a deletion, this is the object to be deleted. Throws `denied(…)` to reject the request. */
type Validate<T extends KubernetesObject> = (object: T, context: AdmissionContext<T>) => Promise<void> | void;

/** A webhook that may deny requests. Throws TypeError if its declaration is invalid. */
export function defineValidating<T extends KubernetesObject = KubernetesObject>(
  definition: DeclarationOf<'Validating'>,
  validate: Validate<T>,
): DefinedWebhook {
  return {
    declaration: parseWebhookDeclaration({ type: 'Validating', ...definition }),
    respond: (review, context) =>
      admit<T>(review, context, async (object, about) => {
        await validate(object, about);
        return [];
      }),
  };
}
