import { diff } from '#lib/api/patch/diff.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { type AdmissionContext, admit } from './admission.ts';
import { type DeclarationOf, parseWebhookDeclaration } from './declaration.ts';
import { toJsonObject } from './envelope.ts';
import type { DefinedWebhook } from './webhook.ts';

/**
 * Returns the changed object. It may modify the given object, which is a copy. Undefined leaves the object unchanged. Throws `denied(…)` to
 * reject the request.
 */
type Mutate<T extends KubernetesObject> = (
  object: T,
  context: AdmissionContext<T>,
) => Promise<T | undefined> | T | undefined;

/**
 * A webhook that changes objects before they are stored. The returned object becomes a JSON patch. Throws TypeError if its declaration is
 * invalid.
 */
export function defineMutating<T extends KubernetesObject = KubernetesObject>(
  definition: DeclarationOf<'Mutating'>,
  mutate: Mutate<T>,
): DefinedWebhook {
  return {
    declaration: parseWebhookDeclaration({ type: 'Mutating', ...definition }),
    respond: (review, context) =>
      admit<T>(review, context, async (object, about) => {
        const before = about.request.object as JsonObject | undefined;
        const after = await mutate(clone(toJsonObject(object)) as JsonObject & T, about);
        return after === undefined || before === undefined ? [] : diff(before, toJsonObject(after));
      }),
  };
}
