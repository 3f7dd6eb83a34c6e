import { type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, items, text } from '#lib/machinery/unstructured.ts';
import type { KindStrategy } from '../../strategy.ts';

const MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';

/** Of the secrets that an account may use only the names count. */
function keepSecretNames(account: JsonObject): void {
  const secrets = items(account, 'secrets');
  if (secrets.length === 0) return;
  account['secrets'] = secrets.map((secret) => (has(secret, 'name') ? { name: text(secret, 'name') } : {}));
}

function warnings(account: JsonObject, old?: JsonObject): string[] {
  const annotations = at(account, 'metadata', 'annotations');
  if (has(at(old, 'metadata', 'annotations'), MOUNTABLE) || !has(annotations, MOUNTABLE)) return [];
  const advice = 'prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${MOUNTABLE}]: deprecated in v1.32+; ${advice}`];
}

/** Upstream's pkg/registry/core/serviceaccount. */
export const serviceAccountStrategy: KindStrategy = {
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings,
};
