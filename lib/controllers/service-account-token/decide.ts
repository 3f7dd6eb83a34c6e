import type { Secret, ServiceAccount } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** The type of Secrets with a token of a service account. */
export const TYPE = 'kubernetes.io/service-account-token';
/** The annotation that names the account. */
export const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

/** The account whose token belongs in a Secret. Empty for a Secret of another type. */
export const accountOf = (secret: Secret): string => (secret.type === TYPE ? (annotationsOf(secret)[NAME] ?? '') : '');

/** Whether the Secret belongs to this account, and not to an earlier one of the same name. */
export function belongs(secret: Secret, account: ServiceAccount): boolean {
  const uid = annotationsOf(secret)[UID] ?? '';
  return uid === '' || uid === uidOf(account);
}

/** The Secret with its missing values. Undefined if it is complete. `sign` creates the token. */
export async function filled(
  secret: Secret,
  account: ServiceAccount,
  { authority, sign }: { readonly authority: string; sign(): Promise<string> },
): Promise<Secret | undefined> {
  const held = secret.data ?? {};
  const ca = Buffer.from(authority).toString('base64');
  const lacks = (key: string): boolean => (ownField(held, key) ?? '') === '';
  if (!lacks('token') && !lacks('namespace') && held['ca.crt'] === ca) return undefined;
  const data: Record<string, string | null> = { ...held, 'ca.crt': ca };
  if (lacks('namespace')) data['namespace'] = Buffer.from(namespaceOf(secret)).toString('base64');
  if (lacks('token')) data['token'] = Buffer.from(await sign()).toString('base64');
  const annotations = { ...annotationsOf(secret), [NAME]: nameOf(account), [UID]: uidOf(account) };
  return { ...secret, metadata: { ...secret.metadata, annotations }, data };
}
