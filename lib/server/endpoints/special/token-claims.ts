import type { TokenRequestSpec } from '#lib/api/types/authentication.v1.ts';
import type { ServiceAccount } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { TokenIssuer } from '#lib/server/authentication/token-issuer.ts';

/**
 * The expiration in seconds that the token volume of a pod requests. Such a token gets the extended expiration instead. A client that does
 * not renew it in time then causes a warning instead of an error.
 */
const WARN_ONLY = 3607;
const EXTENDED = 365 * 24 * 60 * 60;

/** The objects to which a token is bound. It becomes invalid when one of them is deleted. */
export interface Bound {
  readonly pod?: JsonObject;
  readonly secret?: JsonObject;
  readonly node?: JsonObject;
}

const reference = (object: JsonObject): JsonObject => ({
  name: nameOf(object),
  ...(uidOf(object) === '' ? {} : { uid: uidOf(object) }),
});

/** Returns the claims of a service account's token, as the kubelet and others read them. */
export function claims(given: {
  issuer: TokenIssuer;
  namespace: string;
  account: ServiceAccount;
  spec: TokenRequestSpec;
  bound: Bound;
  now: Date;
}): JsonObject {
  const { issuer, namespace, account, spec, bound } = given;
  const now = Math.floor(given.now.getTime() / 1000);
  const requested = Number(spec.expirationSeconds ?? 0);
  const audiences = spec.audiences ?? [];
  const extended =
    bound.pod !== undefined && requested === WARN_ONLY && audiences.every((one) => issuer.audiences.includes(one));
  return {
    iss: issuer.issuer,
    sub: `system:serviceaccount:${namespace}:${nameOf(account)}`,
    aud: audiences,
    iat: now,
    nbf: now,
    exp: now + (extended ? EXTENDED : requested),
    jti: newUid(),
    'kubernetes.io': {
      namespace,
      ...Object.fromEntries(Object.entries(bound).map(([kind, object]) => [kind, reference(object as JsonObject)])),
      serviceaccount: reference(account),
      ...(extended ? { warnafter: now + requested } : {}),
    },
  };
}
