import type { Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { NamespaceMode, type RuntimeHandler, type UserNamespace } from '#lib/node/cri-api/generated/runtime-v1.ts';

/**
 * The user namespace of a pod's sandbox, which is that of the node. Throws Error with upstream's text for a pod that requests its own
 * (`hostUsers: false`), because this agent does not allocate id ranges. `handlers` are those of the runtime, `handler` is the pod's.
 */
export function userNamespace(
  { spec }: Pod,
  { handler, handlers }: { readonly handler: string; readonly handlers: readonly RuntimeHandler[] },
): UserNamespace {
  if (spec.hostUsers !== false) return { mode: NamespaceMode.NODE, uids: [], gids: [] };
  const by = handler === '' ? 'runtime' : `RuntimeClass handler ${quote(handler)}`;
  const refusal = `can't set \`spec.hostUsers: false\`, ${by} does not support user namespaces`;
  const known = handlers.length === 0 || handlers.some(({ name }) => name === handler);
  throw new Error(known ? refusal : `${refusal}: the handler ${quote(handler)} is not known`);
}
