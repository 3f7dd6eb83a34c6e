import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { type AdmissionContext, admit } from './admission.ts';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import type { DefinedWebhook } from './webhook.ts';

/** Judges the object, or of a deletion the one that goes. Throws `denied(…)` to refuse it. */
type Validate<T extends KubernetesObject> = (object: T, context: AdmissionContext<T>) => Promise<void> | void;

/** A webhook that may refuse what is asked. Throws TypeError where it is declared wrongly. */
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
