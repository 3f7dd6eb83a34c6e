import { setField, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, metadataOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

export const TYPE = 'kubernetes.io/service-account-token';
export const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

/** The account whose token a Secret is to hold; '' where it is none of these. */
export const accountOf = (secret: JsonObject): string =>
  stringAt(secret, 'type') === TYPE ? (annotationsOf(secret)[NAME] ?? '') : '';

/** Whether the Secret is the account's, and not one's of the same name that was there before. */
export function belongs(secret: JsonObject, account: JsonObject): boolean {
  const uid = annotationsOf(secret)[UID] ?? '';
  return uid === '' || uid === uidOf(account);
}

/** The Secret with what it lacks; undefined where it lacks nothing. `sign` makes the token. */
export async function filled(
  secret: JsonObject,
  account: JsonObject,
  { authority, sign }: { readonly authority: string; sign(): Promise<string> },
): Promise<JsonObject | undefined> {
  const held = objectAt(secret, 'data') ?? {};
  const ca = Buffer.from(authority).toString('base64');
  const lacks = (key: string): boolean => (stringAt(held, key) ?? '') === '';
  if (!lacks('token') && !lacks('namespace') && held['ca.crt'] === ca) return undefined;
  const data: JsonObject = { ...held, 'ca.crt': ca };
  if (lacks('namespace')) data['namespace'] = Buffer.from(namespaceOf(secret)).toString('base64');
  if (lacks('token')) data['token'] = Buffer.from(await sign()).toString('base64');
  const annotations: JsonObject = { ...annotationsOf(secret) };
  setField(annotations, NAME, nameOf(account));
  setField(annotations, UID, uidOf(account));
  return { ...secret, metadata: { ...metadataOf(secret), annotations }, data };
}
