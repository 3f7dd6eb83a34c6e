import type { ServiceAccount } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import type { KindStrategy } from '../../strategy.ts';

const MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';

/** Keeps only the names of the account's secrets. */
function keepSecretNames(account: ServiceAccount): void {
  const secrets = account.secrets ?? [];
  if (secrets.length === 0) return;
  account.secrets = secrets.map(({ name }) => defined({ name }));
}

function warnings(account: ServiceAccount, old?: ServiceAccount): string[] {
  const annotations = account.metadata.annotations;
  if (ownField(old?.metadata.annotations, MOUNTABLE) !== undefined || ownField(annotations, MOUNTABLE) === undefined)
    return [];
  const advice = 'prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${MOUNTABLE}]: deprecated in v1.32+; ${advice}`];
}

/** Upstream's pkg/registry/core/serviceaccount. */
export const serviceAccountStrategy: KindStrategy<ServiceAccount> = {
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings,
};
